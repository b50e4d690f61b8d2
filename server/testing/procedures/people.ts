import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import { ANYBODY, type DeskRow } from '#server/testing/procedures/row.ts'

const member = ({ memberId }: DeskScene) => ({ userId: memberId })

/** Those who see every user, and those who moderate somewhere; each sees what they may see of the person. */
const THOSE_WHO_LOOK_UP = ANYBODY

const LISTS = [
  'communities',
  'channels',
  'bans',
  'mutes',
  'content',
  'timeline',
  'decisionsAbout',
  'decisionsBy',
  'flagsOn',
  'flagsBy',
  'notes',
]

export const PEOPLE_ROWS: DeskRow[] = [
  { procedure: 'users.find', outcomes: THOSE_WHO_LOOK_UP, input: ({ word }) => ({ query: word }) },
  { procedure: 'users.newest', outcomes: THOSE_WHO_LOOK_UP, input: () => ({}) },
  { procedure: 'users.read', outcomes: THOSE_WHO_LOOK_UP, input: member },
  ...LISTS.map((list): DeskRow => ({ procedure: `users.${list}`, outcomes: THOSE_WHO_LOOK_UP, input: member })),
  {
    procedure: 'users.erasureCounts',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200],
    input: member,
  },
  {
    procedure: 'users.export',
    outcomes: [401, 403, 403, 403, 403, 200, 200, 200, 200],
    input: (scene) => ({ ...member(scene), reason: 'They asked for it' }),
  },
  {
    procedure: 'users.erase',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 200, 200],
    input: (scene) => ({ ...member(scene), confirmation: scene.memberId }),
  },
]
