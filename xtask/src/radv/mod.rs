//! Mesa's driver RADV: Vulkan, as far as it compiles shaders and tells about them. It compiles
//! for the chip of `RADV_FORCE_FAMILY`, which the machine need not have.

mod graphics;

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::{CStr, c_char};

use ash::{Entry, StaticFn, khr, vk};
use libloading::Library;

/// The driver's words about a compiled shader.
pub(crate) struct Executable {
    /// Figures by their names.
    pub(crate) figures: BTreeMap<String, u64>,
    /// A listing with the words of the code, where there is one.
    pub(crate) assembly: String,
}

/// The name of the entry point of every shader.
const MAIN: &CStr = c"main";

/// A device of the driver, which stays until the process ends.
pub(crate) struct Driver {
    /// The version of Mesa.
    pub(crate) version: String,
    /// The driver's own name of the chip.
    pub(crate) chip: String,
    /// The most bytes of local data share of a workgroup.
    pub(crate) most_lds: u32,
    device: ash::Device,
    executables: khr::pipeline_executable_properties::Device,
    layout: vk::PipelineLayout,
}

impl Driver {
    /// Opens the one device of a driver's library, without Vulkan's loader.
    pub(crate) fn open(library: &str) -> Result<Driver, Box<dyn Error>> {
        // SAFETY: the library is Mesa's, which offers this function to loaders. It is never
        // unloaded, so that all functions stay. Every structure is built by `ash`, is valid
        // during its call, and asks for no more than the driver promises.
        unsafe {
            let library = Box::leak(Box::new(Library::new(library)?));
            let get_instance_proc_addr = *library.get(b"vk_icdGetInstanceProcAddr\0")?;
            let entry = Entry::from_static_fn(StaticFn { get_instance_proc_addr });
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_1);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None)?;
            let devices = instance.enumerate_physical_devices()?;
            let physical = *devices.first().ok_or("no device")?;
            let properties = instance.get_physical_device_properties(physical);

            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let extensions = [khr::pipeline_executable_properties::NAME.as_ptr()];
            let mut feature = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
                .pipeline_executable_info(true);
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions)
                .push_next(&mut feature);
            let device = instance.create_device(physical, &info, None)?;

            let binding = |number, kind| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(number)
                    .descriptor_type(kind)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::ALL)
            };
            let bindings = [
                binding(0, vk::DescriptorType::STORAGE_BUFFER),
                binding(1, vk::DescriptorType::UNIFORM_BUFFER),
                binding(2, vk::DescriptorType::STORAGE_BUFFER),
                binding(3, vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
            ];
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let sets = [device.create_descriptor_set_layout(&info, None)?];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            let version = properties.driver_version;
            Ok(Driver {
                version: format!("{}.{}.{}", version >> 22, version >> 12 & 1023, version & 4095),
                chip: text(&properties.device_name),
                most_lds: properties.limits.max_compute_shared_memory_size,
                layout: device.create_pipeline_layout(&info, None)?,
                executables: khr::pipeline_executable_properties::Device::new(&instance, &device),
                device,
            })
        }
    }

    /// Compiles a compute shader, and asks about it.
    pub(crate) fn compile(&self, words: &[u32]) -> Result<Executable, Box<dyn Error>> {
        // SAFETY: as above; the words are a module of ours, which the driver believes.
        unsafe {
            let kept = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR
                | vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR;
            let info = vk::ComputePipelineCreateInfo::default()
                .flags(kept)
                .stage(self.stage(vk::ShaderStageFlags::COMPUTE, words)?)
                .layout(self.layout);
            let cache = vk::PipelineCache::null();
            let made = self.device.create_compute_pipelines(cache, &[info], None);
            let pipeline = made.map_err(|(_, error)| error)?[0];
            let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
            let found = self.executables.get_pipeline_executable_statistics(&info)?;
            let figures = found.iter().map(|it| (text(&it.name), it.value.u64)).collect();

            let mut texts =
                self.executables.get_pipeline_executable_internal_representations(&info)?;
            let mut buffers: Vec<Vec<u8>> = texts.iter().map(|it| vec![0; it.data_size]).collect();
            for (text, buffer) in texts.iter_mut().zip(&mut buffers) {
                text.p_data = buffer.as_mut_ptr().cast();
            }
            // Called a second time, now that there is room for the texts.
            let mut count = texts.len() as u32;
            let get = self.executables.fp().get_pipeline_executable_internal_representations_khr;
            get(self.device.handle(), &info, &mut count, texts.as_mut_ptr()).result()?;
            let assembly = texts.iter().position(|it| text(&it.name) == "Assembly");
            let assembly = assembly.map(|number| String::from_utf8_lossy(&buffers[number]));
            Ok(Executable { figures, assembly: assembly.unwrap_or_default().into_owned() })
        }
    }

    /// Makes a stage of a module.
    fn stage(
        &self,
        stage: vk::ShaderStageFlags,
        words: &[u32],
    ) -> Result<vk::PipelineShaderStageCreateInfo<'static>, vk::Result> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are a module of ours, which the driver believes.
        let module = unsafe { self.device.create_shader_module(&info, None)? };
        Ok(vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(MAIN))
    }
}

/// The characters of an array up to the one that ends the text.
fn text(characters: &[c_char]) -> String {
    let bytes = characters.iter().take_while(|it| **it != 0).map(|it| *it as u8).collect();
    String::from_utf8(bytes).unwrap_or_default()
}
