//! A walk over calls, with a stack of its own.

/// The order in which calls lead from one part of a program to another.
pub(super) struct CallGraph {
    /// The parts, those before that others call.
    pub(super) callees_first: Vec<usize>,
    /// The calls that close a circle: the part, and the number of the call in it.
    pub(super) circles: Vec<(usize, usize)>,
}

impl CallGraph {
    /// Walks over the parts that each part calls; `None` stands for a call that leads nowhere.
    pub(super) fn new(calls: &[Vec<Option<usize>>]) -> CallGraph {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut graph =
            CallGraph { callees_first: Vec::with_capacity(calls.len()), circles: Vec::new() };
        let mut marks = vec![Mark::New; calls.len()];
        for root in 0..calls.len() {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::Open;
            // Each open part and how many of its calls were followed.
            let mut way = vec![(root, 0)];
            while let Some((part, followed)) = way.last_mut() {
                let Some(callee) = calls[*part].get(*followed) else {
                    marks[*part] = Mark::Done;
                    graph.callees_first.push(*part);
                    way.pop();
                    continue;
                };
                let call = (*part, *followed);
                *followed += 1;
                let Some(callee) = *callee else { continue };
                match marks[callee] {
                    Mark::New => {
                        marks[callee] = Mark::Open;
                        way.push((callee, 0));
                    }
                    Mark::Open => graph.circles.push(call),
                    Mark::Done => {}
                }
            }
        }
        graph
    }
}
