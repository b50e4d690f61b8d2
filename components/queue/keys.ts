import { combosInForce, type OwnKeys } from '#components/keys/own-keys.ts'

/** The keys of the queue, by what they do: the desk listens for these, and the key sheet shows them. */
export const QUEUE_KEYS = {
  move: [
    { act: 'next', combos: ['j', 'ArrowDown'] },
    { act: 'previous', combos: ['k', 'ArrowUp'] },
    { act: 'open', combos: ['Enter'] },
    { act: 'back', combos: ['Escape'] },
  ],
  decide: [
    { act: 'approve', combos: ['a'] },
    { act: 'reject', combos: ['r'] },
    { act: 'takeBack', combos: ['u', 'mod+z'] },
  ],
  find: [
    { act: 'search', combos: ['/'] },
    { act: 'filters', combos: ['f'] },
  ],
  show: [{ act: 'showText', combos: ['t'] }],
  help: [{ act: 'keys', combos: ['?'] }],
} as const

export type KeyGroup = keyof typeof QUEUE_KEYS
export type KeyAct = (typeof QUEUE_KEYS)[KeyGroup][number]['act']

/** Only where the list has the focus: elsewhere these keys scroll, press and close. */
const OF_THE_LIST = new Set(['ArrowDown', 'ArrowUp', 'Enter'])

type Acts = Partial<Record<KeyAct, () => void>>

/** What each key of the person's own does, for `useKeys`. */
export function bindKeys(acts: Acts, own: OwnKeys): Record<string, () => void> {
  return pick(acts, own, (combo) => !OF_THE_LIST.has(combo))
}

export function bindListKeys(acts: Acts, own: OwnKeys): Record<string, () => void> {
  return pick(acts, own, (combo) => OF_THE_LIST.has(combo))
}

function pick(acts: Acts, own: OwnKeys, isWanted: (combo: string) => boolean): Record<string, () => void> {
  const bound = Object.values(QUEUE_KEYS).flat()
  const pairs = bound.flatMap(({ act, combos }) => {
    const { [act]: run } = acts
    return run
      ? combosInForce(act, combos, own)
          .filter(isWanted)
          .map((combo) => [combo, run] as const)
      : []
  })
  return Object.fromEntries(pairs)
}
