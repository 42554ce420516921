//! A device of the driver that executes.

use std::path::Path;

use ash::vk;
use vulkan::{Faults, Physical};

/// A device, which stays until the process ends.
pub(crate) struct Device {
    /// The version of Mesa, `22.3.6`.
    pub(crate) version: String,
    /// The driver's own name of the device, `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub(crate) name: String,
    pub(crate) device: ash::Device,
    pub(crate) queue: vk::Queue,
    pub(crate) commands: vk::CommandPool,
    memory: vk::PhysicalDeviceMemoryProperties,
}

/// The family of the one kind of queue that the driver has.
const FAMILY: u32 = 0;

impl Device {
    /// Opens the first device of a driver's library.
    ///
    /// # Errors
    /// The library is none, or has no device.
    pub(crate) fn open(library: &Path) -> Result<Device, Faults> {
        let physical = Physical::open(library)?;
        let Physical { instance, device: own, .. } = &physical;
        // SAFETY: every structure is built by `ash`, is valid during its call, and asks for no
        // more than the driver promises.
        unsafe {
            let mut of_13 = vk::PhysicalDeviceVulkan13Features::default();
            let mut of_12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut of_11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut features = vk::PhysicalDeviceFeatures2::default()
                .push_next(&mut of_13)
                .push_next(&mut of_12)
                .push_next(&mut of_11);
            instance.get_physical_device_features2(*own, &mut features);
            let queues = [vk::DeviceQueueCreateInfo::default()
                .queue_family_index(FAMILY)
                .queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .push_next(&mut features);
            let device =
                instance.create_device(*own, &info, None).map_err(Faults::of("the device"))?;
            let queue = device.get_device_queue(FAMILY, 0);
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(FAMILY);
            let commands =
                device.create_command_pool(&info, None).map_err(Faults::of("the commands"))?;
            Ok(Device {
                version: physical.version(),
                name: physical.name(),
                memory: instance.get_physical_device_memory_properties(*own),
                device,
                queue,
                commands,
            })
        }
    }

    /// The first kind of memory among those of a mask that the processor sees as it is.
    pub(crate) fn memory_type(&self, mask: u32) -> Result<u32, Faults> {
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let mut kinds = (0..).zip(self.memory.memory_types_as_slice());
        let found = kinds
            .find(|(number, kind)| mask >> number & 1 == 1 && kind.property_flags.contains(wanted));
        let missing = || Faults::Job("the driver has no memory that can be seen".to_owned());
        found.map(|(number, _)| number).ok_or_else(missing)
    }
}
