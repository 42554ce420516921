//! The blocks of a shader.

use std::ops::RangeInclusive;

use tgsi::opcodes::Control;

use super::body::Line;
use super::effects::{Effects, Freedom};

/// A statement, or a block with all that it holds. Numbers are those of lines.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// One instruction.
    Leaf(usize),
    /// A branch with its two arms.
    If { head: usize, arms: [Vec<Node>; 2], otherwise: Option<usize>, end: usize },
    /// A loop.
    Loop { head: usize, body: Vec<Node>, end: usize },
    /// A switch, which is not looked into.
    Opaque { head: usize, end: usize },
}

impl Node {
    /// Its lines.
    pub(super) fn lines(&self) -> RangeInclusive<usize> {
        match self {
            Node::Leaf(line) => *line..=*line,
            Node::If { head, end, .. }
            | Node::Loop { head, end, .. }
            | Node::Opaque { head, end } => *head..=*end,
        }
    }

    /// Its first line.
    pub(super) fn first(&self) -> usize {
        *self.lines().start()
    }

    /// Its effects, those of all that it holds. A loop or a switch may be left by its own
    /// breaks, a branch is none by itself.
    pub(super) fn effects(&self, lines: &[Line]) -> Effects {
        let mut effects = Effects::default();
        let mut depth = 0_usize;
        for line in lines.get(self.lines()).unwrap_or_default() {
            let control = line.instruction.info().control;
            let mut own = line.effects.clone();
            let is_inside = match control {
                Control::If | Control::Else | Control::EndIf => true,
                Control::Loop | Control::Switch => {
                    depth += 1;
                    true
                }
                Control::EndLoop | Control::EndSwitch => {
                    depth = depth.saturating_sub(1);
                    true
                }
                Control::Case | Control::Default => true,
                Control::Break | Control::Continue => depth > 0,
                _ => false,
            };
            if is_inside {
                own.order = Default::default();
            }
            match self {
                Node::Leaf(_) => return line.effects.clone(),
                _ => effects.add(&own),
            }
        }
        effects
    }

    /// The lists of nodes in it.
    pub(super) fn lists(&self) -> Vec<&[Node]> {
        match self {
            Node::Leaf(_) | Node::Opaque { .. } => Vec::new(),
            Node::If { arms, .. } => arms.iter().map(Vec::as_slice).collect(),
            Node::Loop { body, .. } => vec![body],
        }
    }
}

/// Every list of nodes, outer ones first.
pub(super) fn lists(nodes: &[Node]) -> Vec<&[Node]> {
    let mut all = vec![nodes];
    let mut next = 0;
    while let Some(list) = all.get(next).copied() {
        all.extend(list.iter().flat_map(Node::lists));
        next += 1;
    }
    all
}

/// Every node, outer ones first.
pub(super) fn nodes(nodes: &[Node]) -> impl Iterator<Item = &Node> {
    lists(nodes).into_iter().flatten()
}

/// Tells whether a node may change places with all of some others.
pub(super) fn freedom(node: &Effects, others: &[Node], lines: &[Line]) -> Freedom {
    let all = others.iter().map(|other| node.freedom(&other.effects(lines)));
    all.max().unwrap_or(Freedom::Free)
}

/// The tree of a shader's lines; `None` where words of blocks do not match.
pub(super) fn tree(lines: &[Line]) -> Option<Vec<Node>> {
    let mut reader = Reader { lines, next: 0 };
    let nodes = reader.list()?;
    (reader.next == lines.len()).then_some(nodes)
}

struct Reader<'l> {
    lines: &'l [Line],
    next: usize,
}

impl Reader<'_> {
    fn control(&self) -> Option<Control> {
        self.lines.get(self.next).map(|line| line.instruction.info().control)
    }

    fn take(&mut self, wanted: Control) -> Option<usize> {
        let place = self.next;
        (self.control()? == wanted).then(|| {
            self.next += 1;
            place
        })
    }

    /// Statements up to the end of the block that they are in.
    fn list(&mut self) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        while let Some(control) = self.control() {
            let head = self.next;
            match control {
                Control::If => {
                    self.next += 1;
                    let first = self.list()?;
                    let otherwise = self.take(Control::Else);
                    let second = match otherwise {
                        Some(_) => self.list()?,
                        None => Vec::new(),
                    };
                    let end = self.take(Control::EndIf)?;
                    nodes.push(Node::If { head, arms: [first, second], otherwise, end });
                }
                Control::Loop => {
                    self.next += 1;
                    let body = self.list()?;
                    let end = self.take(Control::EndLoop)?;
                    nodes.push(Node::Loop { head, body, end });
                }
                Control::Switch => {
                    let mut depth = 0_usize;
                    loop {
                        match self.control()? {
                            Control::Switch => depth += 1,
                            Control::EndSwitch => depth -= 1,
                            _ => {}
                        }
                        self.next += 1;
                        if depth == 0 {
                            break;
                        }
                    }
                    nodes.push(Node::Opaque { head, end: self.next - 1 });
                }
                Control::Else | Control::EndIf | Control::EndLoop | Control::EndSwitch => break,
                _ => {
                    self.next += 1;
                    nodes.push(Node::Leaf(head));
                }
            }
        }
        Some(nodes)
    }
}
