import { addClassifier } from '#server/modules/integrations/classifiers/change-classifiers.ts'
import { ClassifierFields } from '#server/modules/integrations/classifiers/schema.ts'
import { addRoom } from '#server/modules/integrations/notifications/rooms/change-rooms.ts'
import { NewRoom } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { createPolicy } from '#server/modules/network/policies/change-policies.ts'
import { PolicyFields } from '#server/modules/network/policies/schema.ts'
import { addReason } from '#server/modules/network/reasons/change-reasons.ts'
import { listReasons } from '#server/modules/network/reasons/list-reasons.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import { ADMINS, ANYBODY, type DeskOutcomes, type DeskRow } from '#server/testing/procedures/row.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

/** Those with MANAGE_NETWORK_SETTINGS. */
const SETTINGS_MANAGERS: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 200, 200]
const ROOM = NewRoom.parse({ name: 'Team', format: 'slack', address: 'http://127.0.0.1:9/room', topics: ['reports'] })
const FIELDS = { url: 'http://127.0.0.1:9/', events: [] }
const CLASSIFIER = ClassifierFields.parse({ name: 'A classifier', url: 'http://127.0.0.1:9/', kinds: ['comment'] })
const POLICY = {
  texts: { en: { title: 'Spam', text: 'No spam.' } },
  ground: 'terms',
  weight: 1,
  category: 'OTHER_VIOLATION_TC',
}
const JANUARY_FIRST = { from: '2026-01-01T00:00:00.000Z', before: '2026-01-02T00:00:00.000Z' }
const NO_DELIVERY = '00000000-0000-0000-0000-000000000000'
/** Nothing was delivered yet: those who have access get NOT_FOUND. */
const ADMINS_FIND_NONE: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 403, 404]

export const NETWORK_ROWS: DeskRow[] = [
  { procedure: 'policies.choices', outcomes: ANYBODY },
  { procedure: 'policies.list', outcomes: SETTINGS_MANAGERS },
  { procedure: 'policies.create', outcomes: SETTINGS_MANAGERS, input: () => POLICY },
  { procedure: 'policies.versions', outcomes: SETTINGS_MANAGERS, input: policyOf },
  {
    procedure: 'policies.change',
    outcomes: SETTINGS_MANAGERS,
    input: async (scene) => ({ ...(await policyOf(scene)), ...POLICY, weight: 2 }),
  },
  { procedure: 'policies.archive', outcomes: SETTINGS_MANAGERS, input: policyOf },
  { procedure: 'policies.addStarters', outcomes: SETTINGS_MANAGERS },
  { procedure: 'reasons.list', outcomes: ANYBODY },
  { procedure: 'reasons.add', outcomes: SETTINGS_MANAGERS, input: ({ word }) => ({ label: word }) },
  {
    procedure: 'reasons.change',
    outcomes: SETTINGS_MANAGERS,
    input: async (scene) => ({ ...(await reasonOf(scene)), label: `${scene.word} again` }),
  },
  { procedure: 'reasons.archive', outcomes: SETTINGS_MANAGERS, input: reasonOf },
  {
    procedure: 'reasons.order',
    outcomes: SETTINGS_MANAGERS,
    input: async ({ database }) => ({
      reasonIds: (await listReasons(systemCtx(database))).map(({ reasonId }) => reasonId).reverse(),
    }),
  },
  { procedure: 'webhooks.endpoints', outcomes: ADMINS },
  { procedure: 'webhooks.add', outcomes: ADMINS, input: withNoEndpoints },
  ...(['change', 'rotateSecret', 'switch', 'remove', 'test'] as const).map(
    (act): DeskRow => ({
      procedure: `webhooks.${act}`,
      outcomes: ADMINS,
      input: async (scene) => ({ ...(await endpointOf(scene)), ...(act === 'change' && FIELDS), isOn: false }),
    }),
  ),
  {
    procedure: 'webhooks.tested',
    about: 'that was never sent',
    outcomes: ADMINS,
    input: () => ({ eventId: '0' }),
  },
  { procedure: 'webhooks.countFailed', outcomes: ADMINS, input: endpointOf },
  {
    procedure: 'webhooks.countRange',
    outcomes: ADMINS,
    input: async (scene) => ({ ...(await endpointOf(scene)), ...JANUARY_FIRST }),
  },
  { procedure: 'webhooks.deliveries', outcomes: ADMINS, input: () => ({}) },
  { procedure: 'webhooks.delivery', outcomes: ADMINS_FIND_NONE, input: () => ({ deliveryId: NO_DELIVERY }) },
  { procedure: 'webhooks.replay', outcomes: ADMINS, input: () => ({ deliveryIds: [NO_DELIVERY] }) },
  { procedure: 'webhooks.skip', outcomes: ADMINS, input: () => ({ deliveryIds: [NO_DELIVERY] }) },
  { procedure: 'webhooks.replayFailed', outcomes: ADMINS, input: endpointOf },
  {
    procedure: 'webhooks.replayRange',
    outcomes: ADMINS,
    input: async (scene) => ({ ...(await endpointOf(scene)), ...JANUARY_FIRST }),
  },
  { procedure: 'notifications.mail', outcomes: ADMINS },
  {
    procedure: 'notifications.changeMail',
    outcomes: ADMINS,
    input: async (scene) => ({ ...(await notificationVersion(scene)), server: null }),
  },
  {
    procedure: 'notifications.changeTexts',
    outcomes: ADMINS,
    input: async (scene) => ({ ...(await notificationVersion(scene)), includesText: false }),
  },
  { procedure: 'notifications.testMail', about: 'without a mail server', outcomes: ADMINS_FIND_NONE },
  { procedure: 'notifications.rooms', outcomes: ADMINS },
  { procedure: 'notifications.addRoom', outcomes: ADMINS, input: withoutRooms },
  ...(['changeRoom', 'removeRoom', 'testRoom'] as const).map(
    (act): DeskRow => ({
      procedure: `notifications.${act}`,
      outcomes: ADMINS,
      input: async (scene) => ({ ...(await roomOf(scene)), ...(act === 'changeRoom' && ROOM) }),
    }),
  ),
  { procedure: 'translations.settings', outcomes: ADMINS },
  {
    procedure: 'translations.change',
    outcomes: ADMINS,
    input: async (scene) => ({ ...(await translationVersion(scene)), service: null }),
  },
  {
    procedure: 'translations.switch',
    outcomes: ADMINS,
    input: async (scene) => ({ ...(await translationVersion(scene)), isOn: false }),
  },
  { procedure: 'translations.test', about: 'without a service', outcomes: ADMINS_FIND_NONE },
  { procedure: 'classifiers.list', outcomes: ADMINS },
  { procedure: 'classifiers.add', outcomes: ADMINS, input: withNoClassifiers },
  ...(['change', 'switch', 'replaceSecret', 'remove', 'test'] as const).map(
    (act): DeskRow => ({
      procedure: `classifiers.${act}`,
      outcomes: ADMINS,
      input: async (scene) => ({ ...(await classifierOf(scene)), ...(act === 'change' && CLASSIFIER), isOn: false }),
    }),
  ),
]

/** There is a limit. */
async function policyOf({ admin, database }: DeskScene) {
  await database.prisma.policy.deleteMany()
  const { policies } = await createPolicy(await admin(), PolicyFields.parse(POLICY))
  return { policyId: policies[0]?.policyId, version: 1 }
}

async function notificationVersion({ database }: DeskScene) {
  const { version } = await database.prisma.notificationSettings.findUniqueOrThrow({ where: { id: 1 } })
  return { version }
}

async function translationVersion({ database }: DeskScene) {
  const { version } = await database.prisma.translationSettings.findUniqueOrThrow({ where: { id: 1 } })
  return { version }
}

async function reasonOf({ admin, word }: DeskScene) {
  const reasons = await addReason(await admin(), { label: word })
  return { reasonId: reasons.find(({ label }) => label === word)?.reasonId }
}

/** The maximum is ten. */
async function withNoEndpoints({ database }: DeskScene) {
  await database.prisma.webhookEndpoint.deleteMany()
  return FIELDS
}

async function endpointOf(scene: DeskScene) {
  await withNoEndpoints(scene)
  const { endpoint } = await addEndpoint(await scene.admin(), FIELDS, testWebhooks)
  return { endpointId: endpoint.endpointId, version: endpoint.version }
}

/** The maximum is twenty. */
async function withoutRooms({ database }: DeskScene) {
  await database.prisma.chatRoom.deleteMany()
  return ROOM
}

async function roomOf(scene: DeskScene) {
  await withoutRooms(scene)
  const { roomId, version } = await addRoom(await scene.admin(), ROOM, testNotifications)
  return { roomId, version }
}

/** The maximum is ten. */
async function withNoClassifiers({ database }: DeskScene) {
  await database.prisma.classifier.deleteMany()
  return CLASSIFIER
}

async function classifierOf(scene: DeskScene) {
  await withNoClassifiers(scene)
  const { classifier } = await addClassifier(await scene.admin(), CLASSIFIER, testWebhooks)
  return { classifierId: classifier.classifierId, version: classifier.version }
}
