//! Vulkan without its loader: a driver's library is opened as the loader would open it, so that
//! no layers of the machine come with it.

use std::ffi::c_char;
use std::path::Path;

use ash::{Entry, StaticFn, vk};
use libloading::Library;
use thiserror::Error;

/// The reason why a driver does not do what is asked.
#[derive(Debug, Error)]
pub enum Faults {
    /// The system does not load the library, or it is none of a driver.
    #[error(transparent)]
    Load(#[from] libloading::Error),
    /// The driver has no device here.
    #[error("it has no such chip")]
    NoDevice,
    /// A call failed: what it is about, and the driver's answer.
    #[error("{0}: {1}")]
    Vulkan(&'static str, vk::Result),
    /// The job is none that the driver may see.
    #[error("{0}")]
    Job(String),
}

impl Faults {
    /// Returns what makes a fault of a call's result, by what the call is about.
    pub fn of(step: &'static str) -> impl FnOnce(vk::Result) -> Faults {
        move |result| Faults::Vulkan(step, result)
    }
}

/// The symbol by which Vulkan's loader enters a driver.
const ENTRY: &[u8] = b"vk_icdGetInstanceProcAddr\0";

/// A driver's first device, before it is made ready for work.
#[derive(Clone)]
pub struct Physical {
    /// The instance, which stays until the process ends.
    pub instance: ash::Instance,
    /// The device.
    pub device: vk::PhysicalDevice,
    /// Its names and limits.
    pub properties: vk::PhysicalDeviceProperties,
}

impl Physical {
    /// Opens the first device of a driver's library, which is never unloaded.
    ///
    /// # Errors
    /// The library is none, or has no device.
    pub fn open(library: &Path) -> Result<Physical, Faults> {
        // SAFETY: the library is Mesa's, which offers this function to loaders. It is never
        // unloaded, so that all functions stay. Every structure is built by `ash`, is valid
        // during its call, and asks for no more than the driver promises.
        unsafe {
            let library = Box::leak(Box::new(Library::new(library)?));
            let get_instance_proc_addr = *library.get(ENTRY)?;
            let entry = Entry::from_static_fn(StaticFn { get_instance_proc_addr });
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance =
                entry.create_instance(&info, None).map_err(Faults::of("Vulkan's instance"))?;
            let devices = instance.enumerate_physical_devices().map_err(|result| match result {
                vk::Result::ERROR_INITIALIZATION_FAILED => Faults::NoDevice,
                result => Faults::Vulkan("the devices", result),
            })?;
            let device = *devices.first().ok_or(Faults::NoDevice)?;
            let properties = instance.get_physical_device_properties(device);
            Ok(Physical { instance, device, properties })
        }
    }

    /// Returns the version of Mesa, `22.3.6`, by the driver's words or else its number.
    pub fn version(&self) -> String {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: the device is of this instance, and the structures are valid during the call.
        unsafe { self.instance.get_physical_device_properties2(self.device, &mut properties) };
        let words = text(&driver.driver_info);
        if let Some(version) = words.strip_prefix("Mesa ") {
            return version.split([' ', '-']).next().unwrap_or_default().to_owned();
        }
        let version = self.properties.driver_version;
        let part = [vk::api_version_major, vk::api_version_minor, vk::api_version_patch];
        part.map(|part| part(version).to_string()).join(".")
    }

    /// Returns the driver's own name of the device.
    pub fn name(&self) -> String {
        text(&self.properties.device_name)
    }
}

/// Returns the characters of an array up to the one that ends the text.
pub fn text(characters: &[c_char]) -> String {
    let bytes = characters.iter().take_while(|it| **it != 0).map(|it| *it as u8).collect();
    String::from_utf8(bytes).unwrap_or_default()
}
