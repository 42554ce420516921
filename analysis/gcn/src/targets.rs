//! The chips, as the tables of `isa` have them.

pub use isa::gcn::{Compiles, Feature, FeatureSet, Generation, Limits, Target, TargetInfo};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_found_in_any_case() {
        let mut seen = HashSet::new();
        for target in Target::all() {
            let row = target.row();
            for name in std::iter::once(&row.name).chain(row.aliases) {
                assert!(seen.insert(name.to_ascii_lowercase()), "{name} twice");
                assert_eq!(Target::find(&name.to_ascii_uppercase()), Some(target));
            }
            assert!(Target::find(row.processor).is_some(), "{} has no row", row.processor);
            assert!(!row.source.is_empty());
        }
        assert_eq!(Target::find("gfx1010"), None);
        assert_eq!(Target::find(""), None);
    }

    #[test]
    fn a_chip_has_the_features_of_its_processor_and_one_generation() {
        for target in Target::all() {
            let row = target.row();
            let processor = Target::find(row.processor).expect(row.processor);
            assert_eq!(target.features(), processor.features(), "{target}");
            let generations = Generation::ALL.map(|it| it.features());
            let own = Feature::all().take(generations.len()).filter(|it| target.has(*it));
            let own: Vec<&str> = own.map(Feature::name).collect();
            assert_eq!(own, [row.generation.name()], "{target}");
        }
        let has = |name, feature| Target::find(name).expect(name).has(feature);
        assert!(has("vega10", Feature::XnackMask) && has("stoney", Feature::PackedD16));
        assert!(!has("polaris10", Feature::XnackMask) && !has("vega20", Feature::Mai));
        assert!(has("arcturus", Feature::Mai) && has("arcturus", Feature::FmaMix));
    }

    #[test]
    fn the_processor_decides_the_generation() {
        for target in Target::all() {
            let row = target.row();
            assert_eq!(row.processor[..4], *row.generation.name(), "{target}");
        }
    }

    #[test]
    fn a_chip_differs_from_its_processor_where_hardware_and_llvm_differ() {
        let limits = |name| Target::find(name).expect(name).row().limits;
        assert_eq!(limits("polaris10").waves, 8);
        assert_eq!(limits("gfx803").waves, 10);
        assert_eq!(limits("tonga").fixed_sgprs, Some(96));
        assert_eq!(limits("tahiti").lds_group, 32 << 10);
        assert_eq!(limits("bonaire").lds_group, 64 << 10);
        assert_eq!((limits("gfx908").vgpr_file, limits("gfx90a").vgpr_file), (256, 512));
        assert_eq!((limits("gfx942").waves, limits("gfx942").vgpr_granule), (8, 8));
        assert_eq!((limits("gfx950").lds_group, limits("gfx950").lds_granule), (160 << 10, 1280));
    }

    #[test]
    fn every_processor_of_the_generations_is_there() {
        let named: HashSet<&str> = Target::all()
            .filter(|it| it.name() != it.row().processor)
            .map(|it| it.row().processor)
            .collect();
        let mut numbers = HashSet::new();
        for name in [
            "gfx600",
            "gfx601",
            "gfx602",
            "gfx700",
            "gfx701",
            "gfx702",
            "gfx703",
            "gfx704",
            "gfx705",
            "gfx801",
            "gfx802",
            "gfx803",
            "gfx805",
            "gfx810",
            "gfx900",
            "gfx902",
            "gfx904",
            "gfx906",
            "gfx908",
            "gfx909",
            "gfx90a",
            "gfx90c",
            "gfx942",
            "gfx950",
            "gfx9-4-generic",
        ] {
            let target = Target::find(name).expect(name);
            assert_eq!(target.name(), name);
            let machine = target.row().machine.expect(name);
            assert_eq!(Target::of_machine(machine), Some(target));
            assert!(numbers.insert(machine), "{name}");
            // Chips of these were never sold under a name of their own.
            let nameless = matches!(name, "gfx702" | "gfx705" | "gfx9-4-generic");
            assert!(named.contains(name) || nameless, "{name}");
        }
        for (name, processor) in [
            ("tahiti", "gfx600"),
            ("pitcairn", "gfx601"),
            ("hawaii", "gfx701"),
            ("carrizo", "gfx801"),
            ("stoney", "gfx810"),
            ("vega10", "gfx900"),
            ("raven", "gfx902"),
            ("vega12", "gfx904"),
            ("vega20", "gfx906"),
            ("raven2", "gfx909"),
            ("renoir", "gfx90c"),
            ("polaris10", "gfx803"),
            ("MI250X", "gfx90a"),
            ("gfx940", "gfx942"),
            ("gfx941", "gfx942"),
            ("mi300a", "gfx942"),
            ("mi355x", "gfx950"),
        ] {
            assert_eq!(Target::find(name).expect(name).row().processor, processor);
        }
        assert_eq!(Target::of_machine(0x33), None);
    }

    #[test]
    fn the_default_is_compiled_for() {
        assert_eq!(Target::default().name(), "polaris10");
        let compiles = |name| Target::find(name).expect(name).row().compiles;
        assert_eq!(Target::default().row().compiles, Compiles::AllStages);
        assert_eq!(compiles("gfx908"), Compiles::Nothing);
        assert_eq!(compiles("mi300"), Compiles::Compute);
        assert_eq!(format!("{:?}", Target::default()), "Target(polaris10)");
        assert_eq!(format!("{:>10}", Target::default()), " polaris10");
    }
}
