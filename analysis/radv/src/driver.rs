//! A device of the driver: Vulkan, as far as it compiles shaders and tells about them.

use std::ffi::CStr;
use std::path::Path;

use ash::{Entry, StaticFn, khr, vk};
use libloading::Library;
use thiserror::Error;

use crate::executables::text;

/// The reason why the driver does not do what is asked.
#[derive(Debug, Error)]
pub enum Faults {
    /// The system does not load the library, or it is none of a driver.
    #[error(transparent)]
    Load(#[from] libloading::Error),
    /// The driver has no device for the chip that it was told.
    #[error("it has no such chip")]
    NoDevice,
    /// A call failed: what it is about, and the driver's answer.
    #[error("{0}: {1}")]
    Vulkan(&'static str, vk::Result),
    /// The job is none that the driver may see.
    #[error("{0}")]
    Job(String),
}

/// A device of the driver, which stays until the process ends. Its chip is that of the
/// environment, which the machine need not have.
pub struct Driver {
    /// The version of Mesa, `22.3.6`.
    pub version: String,
    /// The driver's own name of the chip, `Null hardware (RADV POLARIS10)`.
    pub chip: String,
    /// The most bytes of local data share of a workgroup.
    pub most_lds: u32,
    pub(crate) device: ash::Device,
    pub(crate) properties: khr::pipeline_executable_properties::Device,
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Driver({}, {})", self.version, self.chip)
    }
}

/// The symbol by which Vulkan's loader enters a driver.
const ENTRY: &[u8] = b"vk_icdGetInstanceProcAddr\0";

impl Driver {
    /// Opens the first device of a driver's library, as Vulkan's loader would.
    ///
    /// # Errors
    /// The library is none, or has no device.
    pub fn open(library: &Path) -> Result<Driver, Faults> {
        let told = |step| move |result| Faults::Vulkan(step, result);
        // SAFETY: the library is Mesa's, which offers this function to loaders. It is never
        // unloaded, so that all functions stay. Every structure is built by `ash`, is valid
        // during its call, and asks for no more than the driver promises.
        unsafe {
            let library = Box::leak(Box::new(Library::new(library)?));
            let get_instance_proc_addr = *library.get(ENTRY)?;
            let entry = Entry::from_static_fn(StaticFn { get_instance_proc_addr });
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None).map_err(told("Vulkan's instance"))?;
            let devices = instance.enumerate_physical_devices().map_err(|result| match result {
                vk::Result::ERROR_INITIALIZATION_FAILED => Faults::NoDevice,
                result => Faults::Vulkan("the devices", result),
            })?;
            let physical = *devices.first().ok_or(Faults::NoDevice)?;
            let properties = instance.get_physical_device_properties(physical);

            let mut of_13 = vk::PhysicalDeviceVulkan13Features::default();
            let mut of_12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut of_11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut executables =
                vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
            let mut features = vk::PhysicalDeviceFeatures2::default()
                .push_next(&mut of_13)
                .push_next(&mut of_12)
                .push_next(&mut of_11)
                .push_next(&mut executables);
            instance.get_physical_device_features2(physical, &mut features);
            features.features.robust_buffer_access = vk::FALSE;
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let extensions: [&CStr; 1] = [khr::pipeline_executable_properties::NAME];
            let extensions = extensions.map(CStr::as_ptr);
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions)
                .push_next(&mut features);
            let device =
                instance.create_device(physical, &info, None).map_err(told("the device"))?;
            let version = properties.driver_version;
            Ok(Driver {
                version: format!(
                    "{}.{}.{}",
                    vk::api_version_major(version),
                    vk::api_version_minor(version),
                    vk::api_version_patch(version)
                ),
                chip: text(&properties.device_name),
                most_lds: properties.limits.max_compute_shared_memory_size,
                properties: khr::pipeline_executable_properties::Device::new(&instance, &device),
                device,
            })
        }
    }
}
