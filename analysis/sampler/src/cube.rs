//! Cubes: from a direction to a face and a place on it, and back.
//!
//! Faces count +x, -x, +y, -y, +z, -z. Which axes of a face its coordinates
//! are is table 8.19 of the OpenGL 4.6 core specification. Places are written
//! as GCN's image instructions take them: from 1 to 2 over a face, and face and
//! layer in one number, eight to a layer. Every step is one operation in single
//! precision, in the order in which shaders for GCN compute it, so that both
//! come to the same bits.

/// A direction as the machine's coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CubePlace {
    /// The place on the face, from 1 to 2 along each axis.
    pub at: [f32; 2],
    /// The face.
    pub face: u32,
}

/// Returns the results of GCN's `V_CUBESC_F32`, `V_CUBETC_F32`, `V_CUBEMA_F32` (twice the
/// major axis, with its sign) and `V_CUBEID_F32` for a direction. Of equal axes z comes
/// first, then y (Vega instruction set, section 6.2's notes on cubes).
fn parts([x, y, z]: [f32; 3]) -> ([f32; 2], f32, u32) {
    let [along_x, along_y, along_z] = [x, y, z].map(f32::abs);
    if along_z >= along_x && along_z >= along_y {
        match z < 0.0 {
            true => ([-x, -y], 2.0 * z, 5),
            false => ([x, -y], 2.0 * z, 4),
        }
    } else if along_y >= along_x {
        match y < 0.0 {
            true => ([x, -z], 2.0 * y, 3),
            false => ([x, z], 2.0 * y, 2),
        }
    } else {
        match x < 0.0 {
            true => ([z, -y], 2.0 * x, 1),
            false => ([-z, -y], 2.0 * x, 0),
        }
    }
}

/// Returns the reciprocal of a length as `V_RCP_F32` computes it, which takes denormals for
/// zero and gives none (MI100 instruction set, section 12.8).
fn reciprocal(length: f32) -> f32 {
    let flushed = |value: f32| if value.is_subnormal() { 0.0 } else { value };
    flushed(1.0 / flushed(length))
}

/// Returns the place where a direction meets the cube.
pub fn cube_place(direction: [f32; 3]) -> CubePlace {
    let (at, major, face) = parts(direction);
    let scale = reciprocal(major.abs());
    CubePlace { at: at.map(|value| value * scale + 1.5), face }
}

/// Returns the derivative of the place on a face, for a change of the direction: the
/// quotient rule on the face that the direction meets.
pub fn cube_derivatives(direction: [f32; 3], change: [f32; 3]) -> [f32; 2] {
    let (at, major, face) = parts(direction);
    let scale = reciprocal(major.abs());
    let [x, y, z] = change;
    let sign = if major >= 0.0 { 1.0 } else { -1.0 };
    let (along, axis) = match face {
        0 | 1 => ([z * -sign, -y], x),
        2 | 3 => ([x, z * sign], y),
        _ => ([x * sign, -y], z),
    };
    let axis = axis * sign;
    let growth = (axis + axis) * scale;
    std::array::from_fn(|it| along[it] * scale - growth * (at[it] * scale))
}

/// The texel behind a number that may lie outside of its face: the one on the
/// neighbouring face that the direction through its centre meets.
pub(crate) fn neighbour(face: i64, at: [i64; 2], size: [u32; 3]) -> (i64, [i64; 2]) {
    let sizes = [size[0], size[1]].map(i64::from);
    if (0..sizes[0]).contains(&at[0]) && (0..sizes[1]).contains(&at[1]) {
        return (face, at);
    }
    // The plane of the face goes on beyond its edge. Seen from the centre of the cube, the
    // texel out there lies on the neighbouring face: its direction finds it, for every pair of
    // faces and without a table of seams. At a corner three faces meet and no fourth texel
    // exists; the direction has two equal axes then, and `parts` decides for one of the faces.
    let [s, t]: [f64; 2] = std::array::from_fn(|axis| {
        // A tap is never further out than one texel. Centres of texels lie at odd multiples of
        // 1 / size on a face that reaches from -1 to 1.
        let number = at[axis].clamp(-1, sizes[axis]) as f64;
        (2.0 * number + 1.0) / sizes[axis] as f64 - 1.0
    });
    let direction = match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    };
    let (other, major, other_face) = parts(direction.map(|value: f64| value as f32));
    let texel = std::array::from_fn(|axis| {
        let place = f64::from(other[axis]) / f64::from(major.abs()) + 0.5;
        ((place * sizes[axis] as f64).floor() as i64).clamp(0, sizes[axis] - 1)
    });
    (other_face.into(), texel)
}
