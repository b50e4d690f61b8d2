import { randomUUID } from 'node:crypto'
import { writeNote } from '#server/modules/people/notes/notes.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { takeLease } from '#server/modules/review/leases/take-lease.ts'
import type { SetTreatmentInput, TreatmentSpace } from '#server/modules/spaces/author-treatments/schema.ts'
import { setTreatment } from '#server/modules/spaces/author-treatments/set-treatment.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { warn } from '#server/modules/spaces/warnings/warn.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import {
  ANYBODY,
  type DeskOutcomes,
  type DeskRow,
  REVIEWERS,
  REVIEWERS_OF_THE_KNOWN,
} from '#server/testing/procedures/row.ts'

const comment = ({ heldCommentId }: DeskScene) => ({ subjectType: 'comment' as const, subjectId: heldCommentId })
const seen = (scene: DeskScene) => [{ ...comment(scene), version: 1 }]

/** Other people's own data is hidden from everyone. */
const NOT_THERE: DeskOutcomes = [401, 404, 404, 404, 404, 404, 404, 404, 404]

export const ACT_ROWS: DeskRow[] = [
  {
    procedure: 'authorTreatments.choices',
    outcomes: ANYBODY,
    input: ({ memberId, communityId }) => ({ userId: memberId, communityId }),
  },
  {
    procedure: 'authorTreatments.set',
    about: 'in the community',
    outcomes: [401, 200, 403, 403, 403, 403, 200, 200, 200],
    input: (scene) => treatment(scene, { scope: 'community', communityId: scene.communityId }),
  },
  {
    procedure: 'authorTreatments.set',
    about: 'everywhere',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200],
    input: (scene) => treatment(scene, { scope: 'network' }),
  },
  {
    procedure: 'authorTreatments.end',
    about: 'in the community',
    outcomes: [401, 200, 404, 404, 404, 403, 200, 200, 200],
    input: async (scene) =>
      setTreatment(await scene.admin(), treatment(scene, { scope: 'community', communityId: scene.communityId })),
  },
  {
    procedure: 'authorTreatments.end',
    about: 'everywhere',
    outcomes: [401, 403, 404, 403, 404, 403, 200, 200, 200],
    input: async (scene) => setTreatment(await scene.admin(), treatment(scene, { scope: 'network' })),
  },
  {
    procedure: 'statements.list',
    outcomes: ANYBODY,
    input: ({ memberId }) => ({ userId: memberId }),
  },
  {
    procedure: 'statements.read',
    about: 'with a link that was changed',
    outcomes: [404, 404, 404, 404, 404, 404, 404, 404, 404],
    input: ({ statementId }) => ({ token: `${statementId}.changed` }),
  },
  {
    procedure: 'statements.appeal',
    about: 'with a link that was changed',
    outcomes: [404, 404, 404, 404, 404, 404, 404, 404, 404],
    input: ({ statementId }) => ({ token: `${statementId}.changed`, words: 'Why?' }),
  },
  { procedure: 'appeals.list', outcomes: ANYBODY, input: () => ({}) },
  { procedure: 'appeals.count', outcomes: ANYBODY },
  {
    procedure: 'appeals.decide',
    about: 'against a warning in the community',
    outcomes: REVIEWERS,
    input: ({ appealId }) => ({ appealId, outcome: 'kept', answer: 'It stays.' }),
  },
  {
    procedure: 'warnings.choices',
    outcomes: ANYBODY,
    input: ({ memberId, communityId }) => ({ userId: memberId, communityId }),
  },
  {
    procedure: 'warnings.warn',
    about: 'in the community',
    outcomes: [401, 200, 403, 403, 403, 403, 200, 200, 200],
    input: ({ memberId, communityId }) => ({
      userId: memberId,
      space: { scope: 'community', communityId },
      words: 'Be kind',
    }),
  },
  {
    procedure: 'warnings.warn',
    about: 'everywhere',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200],
    input: ({ memberId }) => ({ userId: memberId, space: { scope: 'network' }, words: 'Be kind' }),
  },
  {
    procedure: 'warnings.undo',
    about: 'somebody else’s',
    outcomes: [401, 404, 404, 404, 404, 404, 404, 404, 404],
    input: async (scene) =>
      warn(await scene.admin(), { userId: scene.memberId, space: { scope: 'network' }, words: 'Be kind' }),
  },
  {
    procedure: 'bans.choices',
    outcomes: ANYBODY,
    input: ({ memberId, communityId, channelId }) => ({ userId: memberId, communityId, channelId }),
  },
  {
    procedure: 'bans.muteChoices',
    outcomes: ANYBODY,
    input: ({ memberId, communityId, channelId }) => ({ userId: memberId, communityId, channelId }),
  },
  {
    procedure: 'bans.lastModerated',
    outcomes: ANYBODY,
    input: ({ memberId, communityId }) => ({ space: { scope: 'community', communityId }, userIds: [memberId] }),
  },
  ...(['ban', 'unban'] as const).flatMap((act): DeskRow[] => [
    {
      procedure: `bans.${act}`,
      about: 'from the community',
      outcomes: [401, 200, 403, 403, 403, 403, 200, 200, 200],
      input: (scene) => banned(scene, act, { scope: 'community', communityId: scene.communityId }),
    },
    {
      procedure: `bans.${act}`,
      about: 'from the channel',
      outcomes: [401, 403, 200, 403, 403, 403, 200, 200, 200],
      input: (scene) => banned(scene, act, { scope: 'channel', channelId: scene.channelId }),
    },
    {
      procedure: `bans.${act}`,
      about: 'from the network',
      outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200],
      input: (scene) => banned(scene, act, { scope: 'network' }),
    },
  ]),
  {
    procedure: 'bulk.preview',
    about: 'lists what is not allowed',
    outcomes: ANYBODY,
    input: (scene) => ({ items: seen(scene) }),
  },
  {
    procedure: 'bulk.previewSanctions',
    about: 'counts authors of items the caller reviews',
    outcomes: ANYBODY,
    input: (scene) => ({ items: seen(scene), except: [] }),
  },
  {
    procedure: 'bulk.previewRemoval',
    about: 'counts what the caller may decide',
    outcomes: ANYBODY,
    input: ({ memberId }) => ({ authorId: memberId, space: { scope: 'network' }, withinMinutes: null }),
  },
  {
    procedure: 'bulk.remove',
    about: 'with a ban from the community',
    outcomes: [401, 200, 403, 403, 403, 403, 200, 200, 200],
    input: ({ memberId, communityId }) => {
      const space = { scope: 'community', communityId }
      const ban = { userId: memberId, space, minutes: null }
      const removed = { isHeldIncluded: true, published: {}, except: [] }
      return { bulkId: randomUUID(), ban, space, at: new Date().toISOString(), ...removed }
    },
  },
  ...(['ban', 'mute'] as const).map(
    (sanction): DeskRow => ({
      procedure: 'bulk.start',
      about: `${sanction}s nobody whose items the caller may not reject`,
      outcomes: ANYBODY,
      input: (scene) => ({
        bulkId: randomUUID(),
        outcome: 'rejected',
        items: seen(scene),
        sanction: { sanction, scope: 'community', minutes: null, except: [] },
      }),
    }),
  ),
  {
    procedure: 'bulk.start',
    about: 'skips items the caller may not review',
    outcomes: ANYBODY,
    input: (scene) => ({ bulkId: randomUUID(), outcome: 'approved', items: seen(scene) }),
  },
  ...(['work', 'undo', 'progress'] as const).flatMap((act): DeskRow[] => [
    {
      procedure: `bulk.${act}`,
      about: 'one’s own',
      outcomes: ANYBODY,
      input: (scene) => bulkOf(scene, scene.me),
    },
    {
      procedure: `bulk.${act}`,
      about: 'somebody else’s',
      outcomes: NOT_THERE,
      input: (scene) => bulkOf(scene, scene.leadId),
    },
  ]),
  { procedure: 'bulk.recent', outcomes: ANYBODY },
  {
    procedure: 'escalations.escalate',
    outcomes: REVIEWERS,
    input: (scene) => ({ ...comment(scene), note: 'What do you think?' }),
  },
  {
    procedure: 'escalations.handOver',
    outcomes: REVIEWERS,
    input: async (scene) => ({ ...(await escalated(scene)), handTo: scene.leadId }),
  },
  { procedure: 'escalations.deescalate', outcomes: REVIEWERS, input: escalated },
  { procedure: 'escalations.colleagues', outcomes: REVIEWERS, input: comment },
  { procedure: 'leases.take', outcomes: REVIEWERS, input: comment },
  {
    procedure: 'leases.renew',
    about: 'one’s own (CHANGED without one)',
    outcomes: [401, 200, 'CHANGED', 'CHANGED', 'CHANGED', 'CHANGED', 200, 200, 200],
    input: (scene) => leased(scene, scene.me),
  },
  {
    procedure: 'leases.release',
    about: 'one’s own, if there is one',
    outcomes: ANYBODY,
    input: (scene) => leased(scene, scene.me),
  },
  {
    procedure: 'notes.write',
    about: 'in the community',
    outcomes: REVIEWERS_OF_THE_KNOWN,
    input: ({ memberId, communityId }) => ({ aboutUserId: memberId, communityId, text: 'Kind when asked' }),
  },
  {
    procedure: 'notes.write',
    about: 'across the network',
    outcomes: [401, 403, 403, 403, 403, 403, 200, 200, 200],
    input: ({ memberId }) => ({ aboutUserId: memberId, text: 'Kind when asked' }),
  },
  { procedure: 'notes.list', outcomes: ANYBODY, input: ({ memberId }) => ({ aboutUserId: memberId }) },
  {
    procedure: 'notes.delete',
    about: 'somebody else’s',
    outcomes: [401, 403, 404, 404, 404, 403, 403, 403, 403],
    input: async (scene) => {
      const { memberId: aboutUserId, communityId } = scene
      const [note] = await writeNote(await scene.as(scene.leadId), { aboutUserId, communityId, text: 'A note' })
      return { noteId: note?.noteId }
    },
  },
]

function treatment({ memberId }: DeskScene, space: TreatmentSpace): SetTreatmentInput {
  return { userId: memberId, space, kind: 'trust', minutes: 60, reason: 'Known for years', seen: null }
}

async function banned(
  { admin, memberId }: DeskScene,
  act: 'ban' | 'unban',
  space: Parameters<typeof banPerson>[1]['space'],
) {
  if (act === 'unban') await banPerson(await admin(), { userId: memberId, space, minutes: null })
  return act === 'ban' ? { userId: memberId, space, minutes: 60, reason: 'Spam' } : { userId: memberId, space }
}

async function bulkOf(scene: DeskScene, userId: string) {
  const bulkId = randomUUID()
  await startBulk(await scene.as(userId), { bulkId, outcome: 'approved', items: seen(scene) }).catch(() => {})
  return { bulkId }
}

async function escalated(scene: DeskScene) {
  await escalate(await scene.as(scene.leadId), { ...comment(scene), note: 'What do you think?' })
  return comment(scene)
}

async function leased(scene: DeskScene, userId: string) {
  const taken = await takeLease(await scene.as(userId), comment(scene)).catch(() => undefined)
  return { ...comment(scene), token: taken?.isMine ? taken.token : 'of nobody' }
}
