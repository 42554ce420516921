//! Values of a file of inputs as words, lists and names.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use crate::Mistake;

/// A value and where it stands.
#[derive(Debug)]
pub struct Reader<'a> {
    value: &'a DeValue<'a>,
    range: Range<usize>,
}

/// Numbers of registers and units, at most.
const MOST_NUMBERS: usize = 4096;

impl<'a> Reader<'a> {
    /// The value of an entry.
    pub fn new(value: &'a Spanned<DeValue<'a>>) -> Reader<'a> {
        Reader { value: value.get_ref(), range: value.span() }
    }

    /// A mistake at the value.
    pub fn mistake(&self, message: String) -> Mistake {
        Mistake { range: self.range.clone(), message }
    }

    fn items(&self) -> Result<impl Iterator<Item = Reader<'a>>, Mistake> {
        match self.value {
            DeValue::Array(items) => Ok(items.iter().map(Reader::new)),
            _ => Err(self.mistake("an array is expected".to_owned())),
        }
    }

    /// The entries of a table.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn fields(&self) -> Result<Vec<(String, Reader<'a>)>, Mistake> {
        let DeValue::Table(table) = self.value else {
            return Err(self.mistake("a table is expected".to_owned()));
        };
        let fields = table.iter();
        Ok(fields.map(|(key, value)| (key.get_ref().to_string(), Reader::new(value))).collect())
    }

    /// The entries of a table whose keys are numbers, as a list.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn numbered<T: Clone>(
        &self,
        read: impl Fn(&Reader<'a>) -> Result<T, Mistake>,
        absent: T,
    ) -> Result<Vec<T>, Mistake> {
        let mut list = Vec::new();
        for (key, value) in self.fields()? {
            let number = key.parse::<usize>().ok().filter(|number| *number < MOST_NUMBERS);
            let Some(number) = number else {
                let message = format!("`{key}` is not a number below {MOST_NUMBERS}");
                return Err(value.mistake(message));
            };
            if list.len() <= number {
                list.resize(number + 1, absent.clone());
            }
            list[number] = read(&value)?;
        }
        Ok(list)
    }

    /// The 32 bits of a number.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn word(&self) -> Result<u32, Mistake> {
        match self.value {
            DeValue::Float(number) => {
                let number = number.as_str().parse::<f32>();
                number.map(f32::to_bits).map_err(|_| self.mistake("no float".to_owned()))
            }
            DeValue::Integer(number) => {
                let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
                let fits = i64::from(i32::MIN)..=i64::from(u32::MAX);
                let number = number.filter(|number| fits.contains(number));
                number
                    .map(|number| number as u32)
                    .ok_or_else(|| self.mistake("an integer has 32 bits".to_owned()))
            }
            _ => Err(self.mistake("a number is expected".to_owned())),
        }
    }

    /// A number as a float, written with a point or without.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn float(&self) -> Result<f32, Mistake> {
        match self.value {
            DeValue::Integer(_) => Ok(self.word()? as i32 as f32),
            _ => Ok(f32::from_bits(self.word()?)),
        }
    }

    /// A count.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn number(&self) -> Result<u32, Mistake> {
        match self.value {
            DeValue::Integer(_) => self.word(),
            _ => Err(self.mistake("an integer is expected".to_owned())),
        }
    }

    /// A word of a list.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, Mistake> {
        let word = match self.value {
            DeValue::String(word) => word.as_ref(),
            _ => "",
        };
        let found = choices.iter().find(|(name, _)| *name == word);
        found.map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.mistake(format!("one of \"{}\" is expected", names.join("\", \"")))
        })
    }

    /// Up to three values, one for each axis; those that are not said stay as they are.
    fn axes<T>(
        &self,
        mut axes: [T; 3],
        read: impl Fn(&Reader<'_>) -> Result<T, Mistake>,
    ) -> Result<[T; 3], Mistake> {
        for (axis, item) in self.items()?.enumerate() {
            let Some(place) = axes.get_mut(axis) else {
                return Err(self.mistake("there are three axes".to_owned()));
            };
            *place = read(&item)?;
        }
        Ok(axes)
    }

    /// The same three times, or one for each of up to three axes.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn choices<T: Copy + Default>(&self, choices: &[(&str, T)]) -> Result<[T; 3], Mistake> {
        match self.value {
            DeValue::Array(_) => self.axes([T::default(); 3], |item| item.choice(choices)),
            _ => Ok([self.choice(choices)?; 3]),
        }
    }

    /// A list of words.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn words(&self) -> Result<Vec<u32>, Mistake> {
        self.items()?.map(|item| item.word()).collect()
    }

    /// A list of numbers as floats.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn floats(&self) -> Result<Vec<f32>, Mistake> {
        self.items()?.map(|item| item.float()).collect()
    }

    /// Up to three sizes; those that are not said are 1.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn size(&self) -> Result<[u32; 3], Mistake> {
        self.axes([1; 3], |item| item.number())
    }

    /// A vector of up to four components; those that are not said are 0.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn vector(&self) -> Result<[u32; 4], Mistake> {
        let words = self.words()?;
        let mut vector = [0; 4];
        match vector.get_mut(..words.len()) {
            Some(components) => components.copy_from_slice(&words),
            None => return Err(self.mistake("a vector has four components".to_owned())),
        }
        Ok(vector)
    }

    /// A list of vectors.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn vectors(&self) -> Result<Vec<[u32; 4]>, Mistake> {
        self.items()?.map(|item| item.vector()).collect()
    }

    /// Tells whether a list holds lists.
    ///
    /// # Errors
    /// The value is no list.
    pub fn is_nested(&self) -> Result<bool, Mistake> {
        Ok(self.items()?.any(|item| matches!(item.value, DeValue::Array(_))))
    }

    /// One list of words, or each of several.
    ///
    /// # Errors
    /// The value is neither.
    pub fn word_lists(&self) -> Result<Vec<Vec<u32>>, Mistake> {
        match self.value {
            DeValue::Array(_) if self.is_nested()? => {
                self.items()?.map(|item| item.words()).collect()
            }
            DeValue::Array(_) => Ok(vec![self.words()?]),
            _ => Ok(vec![vec![self.word()?]]),
        }
    }

    /// The value as a string, if it is one.
    pub fn string(&self) -> Option<&'a str> {
        match self.value {
            DeValue::String(word) => Some(word.as_ref()),
            _ => None,
        }
    }

    /// The values of a list; of any other value that value alone.
    pub fn items_or_self(&self) -> Vec<Reader<'a>> {
        match self.value {
            DeValue::Array(items) => items.iter().map(Reader::new).collect(),
            _ => vec![Reader { value: self.value, range: self.range.clone() }],
        }
    }

    /// The place of the value, as a range of bytes.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}
