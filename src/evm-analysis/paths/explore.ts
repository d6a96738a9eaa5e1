import { isTransient } from "../findings/slot.ts";
import { numberAt, opcode } from "../machine/code.ts";
import { type Expr, isConst, isSum } from "../machine/expr.ts";
import { operations } from "../machine/operations.ts";
import { condition } from "../machine/simplify.ts";
import { type Arrivals, noArrivals } from "./arrivals.ts";
import { callContext, MAX_ROUNDS } from "./loop-rounds.ts";
import {
  addNode,
  after,
  type Exploration,
  type Fork,
  link,
  markLive,
  type Node,
  type PathEnding,
  stepsOf,
} from "./path.ts";
import {
  copyState,
  countsAlways,
  digestOf,
  type Entry,
  mix,
  type Program,
  type State,
  startState,
  type ValueDigest,
  valueDigest,
} from "./state.ts";
import { createTrail, type Trail } from "./trail.ts";

export interface Bounds {
  /** Instructions over all paths of one function. */
  readonly steps: number;
  /** The most paths that are kept. */
  readonly endings: number;
  /** How often one place may be entered with different values. */
  readonly visits: number;
}

/** The state of a running exploration. */
interface Search {
  readonly program: Program;
  readonly bounds: Bounds;
  readonly waiting: State[];
  readonly nodes: Node[];
  readonly trail: Trail;
  /** Paths that left a loop after enough rounds, each with the other branch of that place. */
  readonly left: { readonly state: State; readonly other: Node }[];
  /** Arrivals by place in the code. */
  readonly arrivals: Map<number, Arrivals>;
  readonly digest: ValueDigest;
  readonly endings: PathEnding[];
  readonly forks: Fork[];
  /** Places where a decided test was repeated. */
  readonly repeated: Map<Expr, Node[]>;
  readonly alive: () => boolean;
  truncated: boolean;
  steps: number;
}

/** The interval, in steps, at which `alive` is called. */
const PATIENCE = 2_048;

/**
 * Follows every path of `program` from its first byte, with symbols for unknown values, and records its steps.
 * A path is cut when it enters a known place with the same constants on the stack. Its writes and its checks of the
 * caller must be the same too. Such a path would continue in the same way. The bound on visits ends loops.
 */
export function explore(program: Program, entry: Entry, bounds: Bounds, alive: () => boolean): Exploration {
  const nodes: Node[] = [];
  const search: Search = {
    program,
    bounds,
    nodes,
    trail: createTrail(),
    waiting: [startState(program, entry, addNode(nodes, 0))],
    left: [],
    arrivals: new Map(),
    digest: { high: 0, low: 0 },
    endings: [],
    forks: [],
    repeated: new Map(),
    alive,
    truncated: false,
    steps: 0,
  };
  for (let state = next(search); state !== undefined; state = next(search)) run(search, state);
  const { endings, forks, repeated, truncated, steps } = search;
  return { nodes, endings, forks, repeated, truncated, steps };
}

/** The most loop exits that are kept. Each holds the memory of a path. */
const MAX_LEFT = 256;

/**
 * The next waiting path. When none waits, a path that was left at a branch of a loop. The other branch must have turned
 * out never to end well. Such a branch is a check of every round, which fails where it does not hold. So the left path
 * is the only way on.
 */
function next(search: Search): State | undefined {
  const waiting = search.waiting.pop();
  if (waiting) return waiting;
  const at = search.left.findIndex(({ other }) => !other.live);
  return at < 0 ? undefined : search.left.splice(at, 1)[0]?.state;
}

function leave(search: Search, state: State, other: Node): void {
  if (search.left.length < MAX_LEFT) search.left.push({ state, other });
}

/** Follows one path to its end, a fork or a known place. */
function run(search: Search, state: State): void {
  const { code } = search.program;
  for (;;) {
    if (search.steps >= search.bounds.steps || (search.steps % PATIENCE === PATIENCE - 1 && !search.alive())) {
      search.truncated = true;
      search.steps = Math.max(search.steps, search.bounds.steps);
      markLive(state.node);
      return;
    }
    search.steps++;
    const pc = state.pc;
    if (pc >= code.length) {
      end(search, state, "stop");
      return;
    }
    const op = code[pc] ?? 0;
    if (op >= opcode.push0 && op <= opcode.push32) {
      const size = op - opcode.push0;
      state.stack.push(pushed(search.program, pc, size));
      state.pc += size + 1;
      continue;
    }
    if (op === opcode.jumpdest) {
      if (!arrive(search, state)) return;
      state.pc++;
      continue;
    }
    const outcome = operations[op]?.(state, op) ?? "fail";
    if (outcome === "next") {
      state.pc++;
      if (state.stack.length > 1024) return;
    } else if (outcome === "jump") {
      const target = state.stack.pop();
      if (target === undefined || !follow(search, state, target)) return;
    } else if (outcome === "branch") {
      if (!branch(search, state)) return;
    } else {
      if (outcome !== "fail") end(search, state, outcome);
      return;
    }
  }
}

/** The number that a PUSH carries, created once. */
function pushed({ pool, code, numbers }: Program, pc: number, size: number): Expr {
  const known = numbers[pc];
  if (known !== undefined) return known;
  const number = pool.constant(numberAt(code, pc + 1, size));
  numbers[pc] = number;
  return number;
}

/** False when the place was reached before with the same values, or too often. */
function arrive(search: Search, state: State): boolean {
  forget(state);
  valueDigest(state, search.digest);
  const { high, low } = search.digest;
  let here = search.arrivals.get(state.pc);
  if (here === undefined) {
    here = noArrivals();
    search.arrivals.set(state.pc, here);
  }
  const known = here.seen.get(high, low);
  if (known !== undefined) {
    link(state.node, known);
    return false;
  }
  if (++here.visits > search.bounds.visits) {
    // As far as is known, the path ends like earlier paths through this place. Its own steps were not explored.
    search.truncated = true;
    for (const node of here.nodes) link(state.node, node);
    return false;
  }
  const node = addNode(search.nodes, state.pc, state.node);
  here.nodes.push(node);
  here.seen.add(high, low, node);
  state.node = node;
  return true;
}

function follow(search: Search, state: State, target: Expr): boolean {
  if (!isConst(target)) {
    search.truncated = true;
    markLive(state.node);
    return false;
  }
  if (!search.program.targets.has(target.place)) return false;
  state.pc = target.place;
  return true;
}

/** Removes from the digest the decisions of tests that are not repeated from here on. */
function forget(state: State): void {
  const { places, reached } = state.entry.repeated;
  if (state.kept.length === 0 || !reached.has(state.pc)) return;
  const isOver = ({ test }: State["kept"][number]) => places.get(test)?.[state.pc] !== 1;
  if (!state.kept.some(isOver)) return;
  for (const each of state.kept) if (isOver(each)) state.digest = mix(state.digest, -each.adds);
  state.kept = state.kept.filter((each) => !isOver(each));
}

/** Tests of flags, lists and identities are remembered. Comparisons of amounts are repeated by every sum. */
const remembered: ReadonlySet<string> = new Set(["FIELD", "EQ", "SLOAD"]);

/** Continues with the chosen branch, or queues both branches. */
function branch(search: Search, state: State): boolean {
  const { pool } = search.program;
  const target = state.stack.pop();
  const value = state.stack.pop();
  if (target === undefined || value === undefined) return false;
  if (isConst(value)) {
    if (value.value !== 0n) return follow(search, state, target);
    state.pc++;
    return true;
  }
  const [tested, truth] = condition(pool, value, true);
  search.trail.follow(state.trace);
  const before = search.trail.decided(tested);
  if (before !== undefined) {
    if (remembered.has(tested.op) && !isSum(tested.args)) {
      const places = search.repeated.get(tested);
      if (places) places.push(state.node);
      else search.repeated.set(tested, [state.node]);
    }
    if (before === truth) return follow(search, state, target);
    state.pc++;
    return true;
  }
  const pc = state.pc;
  const jumps = addNode(search.nodes, pc, state.node);
  const falls = addNode(search.nodes, pc, state.node);
  const [whenTrue, whenFalse] = truth ? [jumps, falls] : [falls, jumps];
  search.forks.push({ pc, tested, whenTrue, whenFalse, trace: state.trace });
  const context = callContext(state);
  const rounds = search.trail.rounds(context);
  const jumped = copyState(state);
  take(jumped, jumps, { pc, tested, truth, jumped: true, context, other: falls });
  const jumping = follow(search, jumped, target);
  const fallen = state;
  take(fallen, falls, { pc, tested, truth: !truth, jumped: false, context, other: jumps });
  fallen.pc++;
  // A loop is left after enough rounds. Further rounds would end like leaving it.
  if (jumping && rounds.fell >= MAX_ROUNDS) link(falls, jumps);
  else if (rounds.jumped >= MAX_ROUNDS) link(jumps, falls);
  if (jumping && rounds.jumped < MAX_ROUNDS) search.waiting.push(jumped);
  else if (jumping) leave(search, jumped, falls);
  if (!jumping || rounds.fell < MAX_ROUNDS) search.waiting.push(fallen);
  else leave(search, fallen, jumps);
  return false;
}

interface Way {
  readonly pc: number;
  readonly tested: Expr;
  readonly truth: boolean;
  readonly jumped: boolean;
  readonly context: number;
  readonly other: Node;
}

/** Moves a path along a branch. */
function take(state: State, node: Node, { pc, tested, truth, jumped, context, other }: Way): void {
  const adds = digestOf(state, tested, truth);
  const again = adds !== 0 && state.entry.repeated.places.has(tested.id) && !countsAlways(state, tested);
  if (again) state.kept = [...state.kept, { test: tested.id, adds }];
  state.node = node;
  state.trace = after(state.trace, { kind: "branch", taken: node, pc, tested, truth, jumped, context, other });
  state.digest = mix(state.digest, adds);
}

/** A transfer that returns true but moves nothing has failed. */
const actsNot = ({ entry, trace }: State) =>
  entry.mustAct &&
  !stepsOf(trace).some((step) => step.kind === "call" || (step.kind === "write" && !isTransient(step.key)));

function end(search: Search, state: State, how: PathEnding["how"]): void {
  if (actsNot(state)) return;
  markLive(state.node);
  if (search.endings.length >= search.bounds.endings) {
    search.truncated = true;
    return;
  }
  const { pc, trace, node, result, copied } = state;
  search.endings.push({ how, pc, trace, node, result, copied });
}
