import { type CompiledRules, compileRules, joinRules, type Rule } from '#server/modules/rules/conditions/compile.ts'
import type { FailedRule } from '#server/modules/rules/conditions/judge.ts'
import { type Condition, leavesOf } from '#server/modules/rules/conditions/schema.ts'
import type { RuleAction, RuleKind, RuleState } from '#server/modules/rules/registry/schema.ts'
import type { Severity } from '#server/modules/rules/severity/schema.ts'

/** A rule in shadow or live. */
export interface RunningRule extends Rule {
  state: RuleState
  kinds: RuleKind[]
  action: RuleAction
}

/** The running rules of one space, or of several, compiled for each kind of content. */
export interface CompiledSpace {
  compiled: Record<RuleKind, CompiledRules>
  /** Those of them that ask for signals. */
  onSignals: Record<RuleKind, CompiledRules>
  /** Live rules by what they do, with their severity. */
  live: Record<RuleAction['type'], ReadonlyMap<string, Severity>>
  /** For how many minutes live rules mute the author; those that don't are left out. */
  muteMinutes: ReadonlyMap<string, number>
  /** Those that can't be compiled any more. */
  failed: FailedRule[]
}

/** Compiles the rules of one space, in their order. */
export async function compileSpace(rules: RunningRule[]): Promise<CompiledSpace> {
  return compileAll(rules, []).catch(async () => compileAll(rules, await findFailing(rules)))
}

async function compileAll(rules: RunningRule[], failed: FailedRule[]): Promise<CompiledSpace> {
  const usable = rules.filter(({ ruleId }) => failed.every((failure) => failure.ruleId !== ruleId))
  const compileFor = compilerOfKinds()
  const live = (type: RuleAction['type']) =>
    new Map(
      usable.flatMap(({ ruleId, state, action }) =>
        state === 'live' && action.type === type ? [[ruleId, action.severity] as const] : [],
      ),
    )
  const muteMinutes = new Map(
    usable.flatMap(({ ruleId, state, action: { type, muteMinutes } }) =>
      state === 'live' && muteMinutes !== undefined && (type === 'hold' || type === 'reject')
        ? [[ruleId, muteMinutes] as const]
        : [],
    ),
  )
  const [compiled, onSignals] = [
    await compileFor(usable),
    await compileFor(usable.filter(({ condition }) => asksForSignals(condition))),
  ]
  return {
    compiled,
    onSignals,
    live: { hold: live('hold'), reject: live('reject'), flag: live('flag'), highlight: live('highlight') },
    muteMinutes,
    failed,
  }
}

/** Rules that are the same for several kinds of content are compiled once. */
function compilerOfKinds(): (rules: RunningRule[]) => Promise<CompiledSpace['compiled']> {
  const known = new Map<string, Promise<CompiledRules>>()
  const compileFor = (kind: RuleKind, rules: RunningRule[]) => {
    const ofKind = rules.filter(({ kinds }) => kinds.includes(kind))
    const name = ofKind.map(({ ruleId }) => ruleId).join(' ')
    const compiling = known.get(name) ?? compileRules(ofKind)
    known.set(name, compiling)
    return compiling
  }
  return async (rules) => ({
    comment: await compileFor('comment', rules),
    post: await compileFor('post', rules),
    message: await compileFor('message', rules),
  })
}

export const asksForSignals = (condition: Condition): boolean =>
  leavesOf(condition).some(({ kind }) => kind === 'signal')

/** A rule was compiled when it was written; a later version of Docket may not be able to. */
async function findFailing(rules: RunningRule[]): Promise<FailedRule[]> {
  const tried = rules.map(async ({ ruleId, version, condition }): Promise<FailedRule[]> => {
    const compiling = compileRules([{ ruleId, version, condition }])
    return compiling.then(
      () => [],
      (error: unknown) => [{ ruleId, version, reason: 'error', error }],
    )
  })
  return (await Promise.all(tried)).flat()
}

/** All rules of these spaces, in their order. */
export function joinSpaces(spaces: CompiledSpace[]): CompiledSpace {
  const [only, ...others] = spaces
  // The usual case: only the community has rules, or only the network. Each write would join them again.
  if (only && others.length === 0) return only
  const joinKinds = (of: 'compiled' | 'onSignals') => {
    const rulesOn = (kind: RuleKind) => joinRules(spaces.map((space) => space[of][kind]))
    return { comment: rulesOn('comment'), post: rulesOn('post'), message: rulesOn('message') }
  }
  const live = (type: RuleAction['type']) => new Map(spaces.flatMap((space) => [...space.live[type]]))
  return {
    compiled: joinKinds('compiled'),
    onSignals: joinKinds('onSignals'),
    live: { hold: live('hold'), reject: live('reject'), flag: live('flag'), highlight: live('highlight') },
    muteMinutes: new Map(spaces.flatMap(({ muteMinutes }) => [...muteMinutes])),
    failed: spaces.flatMap(({ failed }) => failed),
  }
}
