//! The shapes of textures, and from a shader's coordinates to the hardware's.

use isa::gcn::Generation;
use tgsi::words::TextureTarget;

use crate::builder::Builder;
use crate::context::Lowering;
use crate::values::{Type, Value};

/// The shape of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Coordinates without the layer: 3 for cubes, which take a direction.
    pub axes: usize,
    /// The way in which it is addressed.
    pub kind: ShapeKind,
    /// Set where there are layers, addressed by the coordinate after the axes.
    pub layered: bool,
    /// The place of the value to compare with: a coordinate, or x of the source after the
    /// coordinates (4).
    pub reference: Option<usize>,
}

/// The kinds of shapes that the hardware treats in ways of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// One, two or three axes from 0 to 1.
    Plain,
    /// Six faces, addressed by a direction.
    Cube,
    /// Coordinates are texels, and there are no levels.
    Rectangle,
    /// Several samples to the texel.
    Multisample,
    /// A buffer of texels.
    Buffer,
}

impl Shape {
    /// The shape that a target names; `None` for the one that names none.
    pub fn of(target: TextureTarget) -> Option<Shape> {
        use TextureTarget as Target;
        let (axes, kind, layered, reference) = match target {
            Target::Buffer => (1, ShapeKind::Buffer, false, None),
            Target::Texture1D => (1, ShapeKind::Plain, false, None),
            Target::Texture2D => (2, ShapeKind::Plain, false, None),
            Target::Texture3D => (3, ShapeKind::Plain, false, None),
            Target::Cube => (3, ShapeKind::Cube, false, None),
            Target::Rectangle => (2, ShapeKind::Rectangle, false, None),
            Target::Shadow1D => (1, ShapeKind::Plain, false, Some(2)),
            Target::Shadow2D => (2, ShapeKind::Plain, false, Some(2)),
            Target::ShadowRectangle => (2, ShapeKind::Rectangle, false, Some(2)),
            Target::Array1D => (1, ShapeKind::Plain, true, None),
            Target::Array2D => (2, ShapeKind::Plain, true, None),
            Target::ShadowArray1D => (1, ShapeKind::Plain, true, Some(2)),
            Target::ShadowArray2D => (2, ShapeKind::Plain, true, Some(3)),
            Target::ShadowCube => (3, ShapeKind::Cube, false, Some(3)),
            Target::Multisample2D => (2, ShapeKind::Multisample, false, None),
            Target::MultisampleArray2D => (2, ShapeKind::Multisample, true, None),
            Target::CubeArray => (3, ShapeKind::Cube, true, None),
            Target::ShadowCubeArray => (3, ShapeKind::Cube, true, Some(4)),
            Target::Unknown => return None,
        };
        Some(Shape { axes, kind, layered, reference })
    }

    /// Returns the word of the image intrinsics for the shape. From gfx9 on one-dimensional
    /// textures are two-dimensional ones of height 1.
    pub(crate) fn dimension(self, generation: Generation) -> &'static str {
        match (self.kind, self.axes, self.layered) {
            (ShapeKind::Cube, ..) => "cube",
            (ShapeKind::Multisample, _, false) => "2dmsaa",
            (ShapeKind::Multisample, _, true) => "2darraymsaa",
            (_, 1, false) if generation >= Generation::Gfx9 => "2d",
            (_, 1, true) if generation >= Generation::Gfx9 => "2darray",
            (_, 1, false) => "1d",
            (_, 1, true) => "1darray",
            (_, 2, false) => "2d",
            (_, 2, true) => "2darray",
            _ => "3d",
        }
    }
}

/// The hardware's coordinates of a sampling instruction, with derivatives if it takes any.
pub(crate) struct SampleCoordinates {
    /// The hardware's coordinates.
    pub(crate) coordinates: Vec<Value>,
    /// Derivatives along x, then those along y.
    pub(crate) derivatives: Vec<Value>,
}

impl Lowering<'_> {
    /// The hardware's coordinates for filtered access. `coordinates` are the
    /// shader's four, `derivatives` its two vectors of three, if it gives any.
    pub(crate) fn sample_coordinates(
        &mut self,
        shape: Shape,
        coordinates: [Value; 4],
        derivatives: Option<[[Value; 3]; 2]>,
    ) -> SampleCoordinates {
        let generation = self.generation;
        let builder = &mut self.builder;
        let mut place = if shape.kind == ShapeKind::Cube {
            cube_coordinates(builder, coordinates, derivatives)
        } else {
            let along = |vector: [Value; 3]| vector[..shape.axes].to_vec();
            SampleCoordinates {
                coordinates: coordinates[..shape.axes].to_vec(),
                derivatives: derivatives.map_or(Vec::new(), |[x, y]| [along(x), along(y)].concat()),
            }
        };
        if shape.axes == 1 && generation >= Generation::Gfx9 {
            // The middle of the only row.
            place.coordinates.push(Value::float(0.5));
            if let [x, y] = place.derivatives[..] {
                place.derivatives = vec![x, Value::float(0.0), y, Value::float(0.0)];
            }
        }
        if shape.layered {
            let mut layer = coordinates[shape.axes];
            // From gfx9 on the hardware rounds the layer itself, but not one
            // that is part of the face.
            if generation <= Generation::Gfx8 || shape.kind == ShapeKind::Cube {
                layer = builder.overloaded("llvm.rint", &[layer]);
            }
            if shape.kind == ShapeKind::Cube {
                // The third coordinate counts faces, eight to a layer.
                if generation <= Generation::Gfx8 {
                    layer = builder.overloaded("llvm.maxnum", &[layer, Value::float(0.0)]);
                }
                let first = builder.binary("fmul", layer, Value::float(8.0));
                place.coordinates[2] = builder.binary("fadd", first, place.coordinates[2]);
            } else {
                place.coordinates.push(layer);
            }
        }
        place
    }

    /// The hardware's coordinates for access to single texels.
    pub(crate) fn fetch_address(&mut self, shape: Shape, coordinates: [Value; 4]) -> Vec<Value> {
        let mut place = coordinates[..shape.axes].to_vec();
        if shape.axes == 1 && shape.kind != ShapeKind::Buffer && self.generation >= Generation::Gfx9
        {
            place.push(Value::int(0));
        }
        if shape.layered && shape.kind != ShapeKind::Cube {
            place.push(coordinates[shape.axes]);
        }
        place
    }
}

/// A direction as face and place on it.
fn cube_coordinates(
    builder: &mut Builder,
    coordinates: [Value; 4],
    derivatives: Option<[[Value; 3]; 2]>,
) -> SampleCoordinates {
    let direction = &coordinates[..3];
    let [s, t, major, face] = ["sc", "tc", "ma", "id"]
        .map(|part| builder.call(Type::F32, &format!("llvm.amdgcn.cube{part}"), direction));
    let length = builder.overloaded("llvm.fabs", &[major]);
    let scale = builder.overloaded("llvm.amdgcn.rcp", &[length]);
    let [s, t] = [s, t].map(|value| builder.binary("fmul", value, scale));
    let derivatives = derivatives.map_or(Vec::new(), |both| {
        both.into_iter()
            .flat_map(|vector| cube_derivative(builder, vector, [s, t], scale, major, face))
            .collect()
    });
    // The major axis is twice the component, so these lie within half a face of its centre;
    // the hardware counts the places on a face from 1 to 2.
    let [s, t] = [s, t].map(|value| builder.binary("fadd", value, Value::float(1.5)));
    SampleCoordinates { coordinates: vec![s, t, face], derivatives }
}

/// Computes the derivatives of the place on a face from those of the direction, by the quotient
/// rule. `at` is the place from the centre of the face.
fn cube_derivative(
    builder: &mut Builder,
    [x, y, z]: [Value; 3],
    at: [Value; 2],
    scale: Value,
    major: Value,
    face: Value,
) -> [Value; 2] {
    let (one, minus_one) = (Value::float(1.0), Value::float(-1.0));
    let positive = builder.compare("fcmp oge", major, Value::float(0.0));
    let sign = builder.select(positive, one, minus_one);
    let opposite = builder.select(positive, minus_one, one);
    let along_z = builder.compare("fcmp oge", face, Value::float(4.0));
    let from_y = builder.compare("fcmp oge", face, Value::float(2.0));

    let s = builder.select(from_y, x, z);
    let s_sign_y = builder.select(from_y, one, opposite);
    let s_sign = builder.select(along_z, sign, s_sign_y);
    let s = builder.binary("fmul", s, s_sign);

    let beyond_y = builder.binary("xor", along_z, Value::condition(true));
    let along_y = builder.binary("and", from_y, beyond_y);
    let t = builder.select(along_y, z, y);
    let t_sign = builder.select(along_y, sign, minus_one);
    let t = builder.binary("fmul", t, t_sign);

    let first = builder.select(from_y, y, x);
    let axis = builder.select(along_z, z, first);
    let axis = builder.binary("fmul", axis, sign);
    // The hardware's major axis is twice the component.
    let axis = builder.binary("fadd", axis, axis);
    let growth = builder.binary("fmul", axis, scale);
    [(s, at[0]), (t, at[1])].map(|(change, at)| {
        let moved = builder.binary("fmul", change, scale);
        let shrunk = builder.binary("fmul", growth, at);
        builder.binary("fsub", moved, shrunk)
    })
}
