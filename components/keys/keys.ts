import { combosInForce, type OwnKeys } from './own-keys.ts'

/** The queue's shortcuts by act: the page handles these, and the key sheet shows them. */
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
    { act: 'reason', combos: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] },
    { act: 'inWords', combos: ['0'] },
    { act: 'claim', combos: ['c'] },
    { act: 'escalate', combos: ['e'] },
    { act: 'skip', combos: ['s'] },
    { act: 'takeBack', combos: ['u', 'mod+z'] },
  ],
  many: [
    { act: 'choose', combos: ['x', ' '] },
    { act: 'chooseNext', combos: ['shift+j', 'shift+ArrowDown'] },
    { act: 'choosePrevious', combos: ['shift+k', 'shift+ArrowUp'] },
    { act: 'chooseAll', combos: ['mod+a'] },
    { act: 'group', combos: ['g'] },
    { act: 'wave', combos: ['w'] },
  ],
  item: [
    { act: 'ban', combos: ['b'] },
    { act: 'mute', combos: ['shift+b'] },
    { act: 'treatment', combos: ['p'] },
    { act: 'warn', combos: ['shift+n'] },
    { act: 'edit', combos: ['shift+e'] },
    { act: 'note', combos: ['n'] },
    { act: 'thread', combos: ['o'] },
    { act: 'earlier', combos: ['h'] },
    { act: 'rule', combos: ['m'] },
    { act: 'context', combos: ['i'] },
    { act: 'uncover', combos: ['v'] },
    { act: 'showText', combos: ['t'] },
    { act: 'translate', combos: ['shift+t'] },
  ],
  find: [
    { act: 'search', combos: ['/'] },
    { act: 'filters', combos: ['f'] },
    { act: 'dates', combos: ['d'] },
    // From the palette alone.
    { act: 'export', combos: [] },
  ],
  help: [{ act: 'keys', combos: ['?'] }],
} as const

export type KeyGroup = keyof typeof QUEUE_KEYS
export type KeyAct = (typeof QUEUE_KEYS)[KeyGroup][number]['act']

/** Keys that act only while the list has the focus: elsewhere they scroll, press and close. */
const OF_THE_LIST = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ', 'shift+ArrowDown', 'shift+ArrowUp'])

/** Handlers by act; each receives the combo that was pressed. */
export type KeyActs = Partial<Record<KeyAct, (combo: string) => void>>

/** Handlers by combo with the person's shortcuts, for `useKeys`. */
export function bindKeys(acts: KeyActs, own: OwnKeys): Record<string, () => void> {
  return pick(acts, own, (combo) => !OF_THE_LIST.has(combo))
}

export function bindListKeys(acts: KeyActs, own: OwnKeys): Record<string, () => void> {
  return pick(acts, own, (combo) => OF_THE_LIST.has(combo))
}

function pick(acts: KeyActs, own: OwnKeys, isWanted: (combo: string) => boolean): Record<string, () => void> {
  const bound = Object.values(QUEUE_KEYS).flat()
  const pairs = bound.flatMap(({ act, combos }) => {
    const { [act]: run } = acts
    return run
      ? combosInForce(act, combos, own)
          .filter(isWanted)
          .map((combo) => [combo, () => run(combo)] as const)
      : []
  })
  return Object.fromEntries(pairs)
}
