import { saveView } from '#server/modules/review/views/save-view.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import { ANYBODY, type DeskOutcomes, type DeskRow } from '#server/testing/procedures/row.ts'

const FILTERS = { view: 'waiting' as const, order: 'newest' as const, timeZone: 'UTC' }

/** Reviewers of any queue have saved views of it. */
const ALL_WHO_REVIEW: DeskOutcomes = [401, 200, 403, 200, 403, 403, 200, 200, 200]

/** Everybody at the desk has these of their own. */
export const OWN_ROWS: DeskRow[] = [
  { procedure: 'access.me', outcomes: ANYBODY },
  {
    procedure: 'access.setUp',
    about: 'with an invalid link',
    outcomes: [404, 404, 404, 404, 404, 404, 404, 404, 404],
    input: () => ({ token: 'made up', name: 'A', email: 'a@docket.example', password: 'a-password-for-tests' }),
  },
  { procedure: 'preferences.read', outcomes: ANYBODY },
  { procedure: 'preferences.change', outcomes: ANYBODY, input: () => ({ theme: 'dark' }) },
  { procedure: 'notifications.own', outcomes: ANYBODY },
  { procedure: 'notifications.change', outcomes: ANYBODY, input: () => ({ zone: 'Asia/Kathmandu', digestHour: 9 }) },
  {
    procedure: 'notifications.resumeMail',
    about: 'to an address that was not refused',
    outcomes: [401, 404, 404, 404, 404, 404, 404, 404, 404],
  },
  {
    procedure: 'notifications.subscribe',
    outcomes: ANYBODY,
    input: ({ word }) => ({
      endpoint: `https://push.example/${encodeURIComponent(word)}`,
      keys: { p256dh: 'a'.repeat(87), auth: 'b'.repeat(22) },
    }),
  },
  {
    procedure: 'notifications.unsubscribe',
    outcomes: ANYBODY,
    input: () => ({ endpoint: 'https://push.example/unknown' }),
  },
  {
    procedure: 'notifications.stop',
    about: 'with an invalid link',
    outcomes: [404, 404, 404, 404, 404, 404, 404, 404, 404],
    input: () => ({ token: 'made.up' }),
  },
  { procedure: 'palette.find', outcomes: ANYBODY, input: ({ word }) => ({ query: word }) },
  { procedure: 'live.position', outcomes: ANYBODY },
  {
    procedure: 'live.events',
    outcomes: [401, 200, 200, 200, 200, 403, 200, 200, 200],
  },
  { procedure: 'views.list', outcomes: ANYBODY },
  { procedure: 'views.counts', outcomes: ANYBODY },
  {
    procedure: 'views.save',
    about: 'for oneself',
    outcomes: ALL_WHO_REVIEW,
    input: () => ({ name: 'Mine', filters: FILTERS }),
  },
  ...(['change', 'setDefault', 'delete'] as const).flatMap((act): DeskRow[] => [
    {
      procedure: `views.${act}`,
      about: 'one’s own',
      // Those who can't save views have none.
      outcomes: [401, 200, 404, 200, 404, 404, 200, 200, 200],
      input: async (scene) => ({ ...(await viewOf(scene, scene.me)), ...WITH[act] }),
    },
    {
      procedure: `views.${act}`,
      about: 'somebody else’s',
      outcomes: [401, 404, 404, 404, 404, 404, 404, 404, 404],
      input: async (scene) => ({ ...(await viewOf(scene, scene.leadId)), ...WITH[act] }),
    },
  ]),
]

const WITH = { change: { name: 'Another name' }, setDefault: { isDefault: true }, delete: {} }

async function viewOf(scene: DeskScene, userId: string) {
  const view = await saveView(await scene.as(userId), { name: 'A view', filters: FILTERS, isShared: false }).catch(
    () => undefined,
  )
  return { viewId: view?.viewId ?? 'none' }
}
