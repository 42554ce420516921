//! The values that a program of Mesa 22.3 asks for, by their names in its text.

use super::{Asked, Halves, number};

/// Returns the values that a program asks for.
pub(super) fn asked(text: &str) -> Asked {
    let mut asked = Asked::default();
    let mut halves = Halves::default();
    let mut groups: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some((name, operation)) = line.split_once(" = ") else {
            asked.read_groups(line, &groups);
            continue;
        };
        let name = name.split_whitespace().next_back().unwrap_or_default();
        asked.read_groups(operation, &groups);
        let words: Vec<&str> = operation.split([' ', ',']).filter(|it| !it.is_empty()).collect();
        match words[..] {
            ["intrinsic", "load_scalar_arg_amd", ..] => {
                let argument = number(operation, "base=").and_then(|it| it.parse().ok());
                halves.arguments.extend(argument.map(|it| (name, it)));
            }
            ["load_const", ..] => halves.add_constant(name, operation),
            ["pack_64_2x32_split", low, high, ..] => {
                asked.set = asked.set.or_else(|| halves.joined(low, high));
            }
            ["intrinsic", "load_workgroup_id", ..] => groups.push(name),
            ["intrinsic", "load_num_workgroups", ..] => asked.grid_size = true,
            ["intrinsic", "load_local_invocation_index" | "load_subgroup_id", ..] => {
                asked.wave = true;
            }
            _ => {}
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_used_whole_is_used_on_every_axis() {
        let text = "vec3 32 ssa_1 = intrinsic load_workgroup_id () ()\n\
                    intrinsic store_ssbo (ssa_1, ssa_2, ssa_3) (wrmask=xyz)\n";
        assert_eq!(asked(text).groups, [true; 3]);
        let unused = "vec3 32 ssa_1 = intrinsic load_workgroup_id () ()";
        assert_eq!(asked(unused).groups, [false; 3]);
        let one = "vec3 32 ssa_1 = intrinsic load_workgroup_id () ()\n\
                   vec1 32 ssa_2 = iadd ssa_9, ssa_1.z\n";
        assert_eq!(asked(one).groups, [false, false, true]);
    }
}
