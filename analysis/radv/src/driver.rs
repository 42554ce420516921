//! A device of the driver: Vulkan, as far as it compiles shaders and tells about them.

use std::ffi::CStr;
use std::path::Path;

use ash::{khr, vk};
pub use vulkan::Faults;
use vulkan::Physical;

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

impl Driver {
    /// Opens the first device of a driver's library, as Vulkan's loader would.
    ///
    /// # Errors
    /// The library is none, or has no device.
    pub fn open(library: &Path) -> Result<Driver, Faults> {
        let physical = Physical::open(library)?;
        let Physical { instance, device, properties } = &physical;
        let device = *device;
        // SAFETY: every structure is built by `ash`, is valid during its call, and asks for no
        // more than the driver promises.
        unsafe {
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
            instance.get_physical_device_features2(device, &mut features);
            features.features.robust_buffer_access = vk::FALSE;
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let extensions: [&CStr; 1] = [khr::pipeline_executable_properties::NAME];
            let extensions = extensions.map(CStr::as_ptr);
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions)
                .push_next(&mut features);
            let device =
                instance.create_device(device, &info, None).map_err(Faults::of("the device"))?;
            Ok(Driver {
                version: physical.version(),
                chip: physical.name(),
                most_lds: properties.limits.max_compute_shared_memory_size,
                properties: khr::pipeline_executable_properties::Device::new(instance, &device),
                device,
            })
        }
    }
}
