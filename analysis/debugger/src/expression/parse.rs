//! The reader of expressions: characters to a tree, operators by their precedence.

use super::{Binary, DEEPEST, ExpressionError, FUNCTIONS, MOST_LENGTH, Node, Unary};

/// The operators between two expressions by precedence, the weakest first. Of two that begin
/// alike the longer one stands first.
const LEVELS: [&[(&str, Binary)]; 9] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[
        ("==", Binary::Equal),
        ("!=", Binary::Unequal),
        ("<=", Binary::LessEqual),
        (">=", Binary::GreaterEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

pub(super) fn parse(text: &str) -> Result<Node, ExpressionError> {
    if text.len() > MOST_LENGTH {
        return Err(ExpressionError(format!("an expression has at most {MOST_LENGTH} characters")));
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let node = parser.level(0)?;
    match parser.rest() {
        "" => Ok(node),
        rest => {
            let found: String = rest.chars().take(12).collect();
            Err(ExpressionError(format!("`{found}`: an operator or the end is expected")))
        }
    }
}

impl<'a> Parser<'a> {
    /// The text behind blanks.
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), ExpressionError> {
        match self.take(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    fn unexpected(&mut self, wanted: &str) -> ExpressionError {
        let found: String = self.rest().chars().take(12).collect();
        ExpressionError(match found.is_empty() {
            true => format!("{wanted} is expected at the end"),
            false => format!("`{found}`: {wanted} is expected"),
        })
    }

    fn enter(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err(ExpressionError(format!("more than {DEEPEST} parts within each other"))),
            false => Ok(()),
        }
    }

    fn level(&mut self, level: usize) -> Result<Node, ExpressionError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        let mut links = 0;
        while let Some(operator) = self.operator(operators) {
            // The tree is as deep as the list of operators is long.
            self.enter()?;
            links += 1;
            let right = self.level(level + 1)?;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= links;
        Ok(left)
    }

    fn operator(&mut self, operators: &[(&str, Binary)]) -> Option<Binary> {
        let rest = self.rest();
        let (word, operator) = operators.iter().find(|(word, _)| {
            // `&` and `|` alone, and no shift where a comparison is looked for.
            let next = rest.strip_prefix(word).and_then(|rest| rest.chars().next());
            rest.starts_with(word)
                && !(matches!(*word, "&" | "|" | "<" | ">") && next == word.chars().next())
        })?;
        self.at += word.len();
        Some(*operator)
    }

    fn unary(&mut self) -> Result<Node, ExpressionError> {
        let operators = [("!", Unary::Not), ("-", Unary::Negate), ("~", Unary::Complement)];
        let Some((word, operator)) =
            operators.iter().find(|(word, _)| self.rest().starts_with(word))
        else {
            return self.primary();
        };
        self.at += word.len();
        self.enter()?;
        let operand = self.unary()?;
        self.depth -= 1;
        Ok(Node::Unary(*operator, Box::new(operand)))
    }

    fn primary(&mut self) -> Result<Node, ExpressionError> {
        if self.take("(") {
            self.enter()?;
            let inner = self.level(0)?;
            self.expect(")")?;
            self.depth -= 1;
            return Ok(inner);
        }
        let rest = self.rest();
        match rest.chars().next() {
            Some(first) if first.is_ascii_digit() => self.number(),
            Some(first) if first.is_ascii_alphabetic() || first == '_' => self.name(),
            _ => Err(self.unexpected("a number, a register or a function")),
        }
    }

    /// The characters at the beginning that all are of a kind.
    fn word(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self) -> Result<Node, ExpressionError> {
        let start = self.at;
        let mut word = self.word(|it| it.is_ascii_alphanumeric() || it == '.' || it == '_');
        // The sign of an exponent.
        let is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
        if !is_hexadecimal
            && word.ends_with(['e', 'E'])
            && self.text[self.at..].starts_with(['+', '-'])
        {
            self.at += 1;
            self.word(|it| it.is_ascii_digit());
            word = &self.text[start..self.at];
        }
        let bad = || ExpressionError(format!("`{word}` is not a number"));
        if let Some(digits) = word.strip_prefix("0x").or(word.strip_prefix("0X")) {
            let bits = u64::from_str_radix(digits, 16).map_err(|_| bad())?;
            return i64::try_from(bits).map(Node::Integer).map_err(|_| bad());
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return word.parse().map(Node::Integer).map_err(|_| bad());
        }
        word.parse().map(Node::Float).map_err(|_| bad())
    }

    fn name(&mut self) -> Result<Node, ExpressionError> {
        let name = self.word(|it| it.is_ascii_alphanumeric() || it == '_');
        if self.take("(") {
            let function = FUNCTIONS.iter().find(|(own, ..)| own.eq_ignore_ascii_case(name));
            let Some((own, function, count)) = function else {
                let known: Vec<&str> = FUNCTIONS.iter().map(|(own, ..)| *own).collect();
                let known = known.join(", ");
                return Err(ExpressionError(format!(
                    "`{name}` is not a function; there are {known}"
                )));
            };
            self.enter()?;
            let mut arguments = Vec::new();
            loop {
                arguments.push(self.level(0)?);
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")")?;
            self.depth -= 1;
            if arguments.len() != *count {
                let many = if *count == 1 { "one argument" } else { "two arguments" };
                return Err(ExpressionError(format!("`{own}` takes {many}")));
            }
            return Ok(Node::Call(*function, arguments));
        }
        if name == "lane" {
            return Ok(Node::Lane);
        }
        let mut indices = Vec::new();
        while self.take("[") {
            self.enter()?;
            indices.push(self.level(0)?);
            self.expect("]")?;
            self.depth -= 1;
            if indices.len() > 2 {
                return Err(ExpressionError(format!("`{name}` has more than two brackets")));
            }
        }
        let mut components = Vec::new();
        if self.take(".") {
            let letters = self.word(|it| it.is_ascii_alphanumeric());
            for letter in letters.chars() {
                let component = "xyzw".find(letter).or("rgba".find(letter));
                components.push(component.ok_or_else(|| {
                    ExpressionError(format!("`.{letters}`: components are x, y, z and w"))
                })?);
            }
            if !(1..=4).contains(&components.len()) {
                return Err(ExpressionError("one to four components are expected".to_owned()));
            }
        }
        Ok(Node::Register { name: name.to_owned(), indices, components })
    }
}
