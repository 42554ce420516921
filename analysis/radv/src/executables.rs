//! Pieces of code of a pipeline, as the driver tells of them.

use ash::vk;
use vulkan::text;

use crate::{Driver, Executable, Faults};

/// The texts that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    /// None.
    Untold,
    /// The pieces that the pipeline kept.
    Told,
}

impl Driver {
    /// Returns the pieces of code of a pipeline, without their code.
    pub(crate) fn executables(
        &self,
        pipeline: vk::Pipeline,
        texts: Texts,
    ) -> Result<Vec<Executable>, Faults> {
        let told = |step| move |result| Faults::Vulkan(step, result);
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline lives, and was made to tell of itself.
        let properties = unsafe { self.properties.get_pipeline_executable_properties(&info) }
            .map_err(told("the pipeline's executables"))?;
        let mut found = Vec::new();
        for (index, own) in (0..).zip(&properties) {
            let info =
                vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
            // SAFETY: as above; the index is one of those that were told.
            let figures = unsafe { self.properties.get_pipeline_executable_statistics(&info) }
                .map_err(told("an executable's figures"))?;
            // SAFETY: all of the driver's figures have this form; see `figure`.
            let figures = figures.iter().map(|it| (text(&it.name), unsafe { figure(it) }));
            found.push(Executable {
                name: text(&own.name),
                stages: own.stages.as_raw(),
                lanes: own.subgroup_size,
                figures: figures.collect(),
                code: Vec::new(),
                constants: Vec::new(),
                texts: match texts {
                    Texts::Untold => Vec::new(),
                    Texts::Told => self.texts(&info).map_err(told("an executable's texts"))?,
                },
            });
        }
        Ok(found)
    }

    /// The driver's texts about a piece of code.
    fn texts(
        &self,
        info: &vk::PipelineExecutableInfoKHR<'_>,
    ) -> Result<Vec<(String, String)>, vk::Result> {
        // SAFETY: as in `executables`. The function is called a second time with room for
        // each text, of the size that it told in the first.
        unsafe {
            let mut texts =
                self.properties.get_pipeline_executable_internal_representations(info)?;
            let mut buffers: Vec<Vec<u8>> = texts.iter().map(|it| vec![0; it.data_size]).collect();
            for (text, buffer) in texts.iter_mut().zip(&mut buffers) {
                text.p_data = buffer.as_mut_ptr().cast();
            }
            let mut count = texts.len() as u32;
            let get = self.properties.fp().get_pipeline_executable_internal_representations_khr;
            get(self.device.handle(), info, &mut count, texts.as_mut_ptr()).result()?;
            let read =
                |(own, buffer): (&vk::PipelineExecutableInternalRepresentationKHR<'_>, Vec<u8>)| {
                    let end = buffer.iter().position(|it| *it == 0).unwrap_or(buffer.len());
                    (text(&own.name), String::from_utf8_lossy(&buffer[..end]).into_owned())
                };
            Ok(texts.iter().zip(buffers).map(read).collect())
        }
    }
}

/// A figure as a whole number.
///
/// # Safety
/// The format must be that of the value.
unsafe fn figure(statistic: &vk::PipelineExecutableStatisticKHR<'_>) -> u64 {
    // SAFETY: the field that the format names.
    unsafe {
        match statistic.format {
            vk::PipelineExecutableStatisticFormatKHR::BOOL32 => statistic.value.b32.into(),
            vk::PipelineExecutableStatisticFormatKHR::INT64 => {
                u64::try_from(statistic.value.i64).unwrap_or_default()
            }
            vk::PipelineExecutableStatisticFormatKHR::FLOAT64 => statistic.value.f64 as u64,
            _ => statistic.value.u64,
        }
    }
}
