import { randomUUID } from 'node:crypto'
import { issueKey } from '#server/modules/accounts/access/manage-credentials.ts'
import { deleteRole, makeRole } from '#server/modules/accounts/roles/change-roles.ts'

import { inviteStaff } from '#server/modules/accounts/staff/invite.ts'
import type { DeskScene } from '#server/testing/procedures/desk-callers.ts'
import { ADMINS, ANYBODY, type DeskOutcomes, type DeskRow } from '#server/testing/procedures/row.ts'

/** Everyone, signed in or not. */
const EVERYONE: DeskOutcomes = [200, 200, 200, 200, 200, 200, 200, 200, 200]
const NOT_FOUND: DeskOutcomes = [404, 404, 404, 404, 404, 404, 404, 404, 404]
/** Those who manage roles below their own. */
const ROLE_MAKERS: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 200, 200]
/** Their accounts have no password that could match. */
const WITH_A_WRONG_PASSWORD: DeskOutcomes = [401, 403, 403, 403, 403, 403, 403, 403, 403]

const NOTHING_BEGUN: DeskOutcomes = [
  401,
  'CHANGED',
  'CHANGED',
  'CHANGED',
  'CHANGED',
  'CHANGED',
  'CHANGED',
  'CHANGED',
  'CHANGED',
]

const PASSWORD = 'a-password-for-tests'
const leadOf = ({ leadId }: DeskScene) => ({ staffId: `staff-of-${leadId}` })

export const STAFF_ROWS: DeskRow[] = [
  { procedure: 'access.signInOptions', outcomes: EVERYONE },
  { procedure: 'staff.list', outcomes: ADMINS },
  { procedure: 'staff.read', outcomes: ADMINS, input: leadOf },
  { procedure: 'staff.sessions', outcomes: ADMINS, input: leadOf },
  { procedure: 'staff.invite', outcomes: ADMINS, input: invitation },
  {
    procedure: 'staff.withdraw',
    outcomes: ADMINS,
    input: async (scene) => {
      const { staffId } = await inviteStaff(await scene.admin(), invitation())
      return { staffId }
    },
  },
  { procedure: 'staff.makeLink', outcomes: ADMINS, input: leadOf },
  { procedure: 'staff.giveRole', outcomes: ADMINS, input: (scene) => ({ ...leadOf(scene), roleId: 'support' }) },
  {
    procedure: 'staff.takeRole',
    outcomes: ADMINS,
    input: async (scene) => {
      await scene.database.prisma.user.update({ where: { userId: scene.leadId }, data: { roles: ['support'] } })
      return { ...leadOf(scene), roleId: 'support' }
    },
  },
  { procedure: 'staff.switch', outcomes: ADMINS, input: (scene) => ({ ...leadOf(scene), isOn: false }) },
  { procedure: 'staff.endSessions', outcomes: ADMINS, input: leadOf },
  {
    procedure: 'staff.resetSecondFactor',
    about: 'where there is none',
    outcomes: [401, 403, 403, 403, 403, 403, 403, 403, 'CHANGED'],
    input: leadOf,
  },
  { procedure: 'staff.link', about: 'an invalid link', outcomes: NOT_FOUND, input: () => ({ token: 'made up' }) },
  {
    procedure: 'staff.acceptInvite',
    about: 'with an invalid link',
    outcomes: NOT_FOUND,
    input: () => ({ token: 'made up', password: PASSWORD }),
  },
  { procedure: 'ownSignIn.read', outcomes: ANYBODY },
  {
    procedure: 'ownSignIn.changePassword',
    about: 'with a wrong one',
    outcomes: WITH_A_WRONG_PASSWORD,
    input: () => ({ currentPassword: PASSWORD, newPassword: `${PASSWORD}-again` }),
  },
  ...['beginCodes', 'renewBackupCodes', 'endCodes'].map(
    (act): DeskRow => ({
      procedure: `ownSignIn.${act}`,
      about: 'with a wrong password',
      outcomes: WITH_A_WRONG_PASSWORD,
      input: () => ({ password: PASSWORD }),
    }),
  ),
  {
    procedure: 'ownSignIn.confirmCodes',
    about: 'that was never started',
    outcomes: NOTHING_BEGUN,
    input: () => ({ code: '123456' }),
  },
  {
    procedure: 'ownSignIn.removePasskey',
    about: 'of somebody else',
    outcomes: [401, 404, 404, 404, 404, 404, 404, 404, 404],
    input: () => ({ passkeyId: 'of nobody' }),
  },
  { procedure: 'ownSignIn.endSessions', outcomes: ANYBODY, input: () => ({}) },
  { procedure: 'credentials.list', outcomes: ADMINS },
  { procedure: 'credentials.issueKey', outcomes: ADMINS, input: () => ({ name: 'An app', allows: ['sessions'] }) },
  {
    procedure: 'credentials.issueToken',
    outcomes: ADMINS,
    input: () => ({ name: 'Export', roleId: 'support', hours: 1 }),
  },
  {
    procedure: 'credentials.revoke',
    outcomes: ADMINS,
    input: async (scene) => {
      await issueKey(await scene.admin(), { name: scene.word, allows: ['sessions'] })
      const { keyId } = await scene.database.prisma.apiKey.findFirstOrThrow({ where: { name: scene.word } })
      return { kind: 'key', id: keyId }
    },
  },
  { procedure: 'roles.matrix', outcomes: ROLE_MAKERS },
  { procedure: 'roles.make', outcomes: ROLE_MAKERS, input: newRole },
  {
    procedure: 'roles.change',
    outcomes: ROLE_MAKERS,
    input: async (scene) => {
      const { roleId } = await makeRole(await scene.admin(), newRole())
      const { updatedAt } = await scene.database.prisma.role.findUniqueOrThrow({ where: { roleId } })
      return { ...newRole(), roleId, updatedAt: updatedAt.toISOString() }
    },
  },
  {
    procedure: 'roles.delete',
    outcomes: ROLE_MAKERS,
    input: async (scene) => ({ roleId: (await makeRole(await scene.admin(), newRole())).roleId }),
  },
  {
    procedure: 'roles.restore',
    outcomes: ROLE_MAKERS,
    input: async (scene) => {
      const { roleId } = await makeRole(await scene.admin(), newRole())
      await deleteRole(await scene.admin(), { roleId })
      return { roleId }
    },
  },
]

function invitation() {
  return { email: `${randomUUID()}@docket.example`, name: 'New here', roleId: 'support' }
}

function newRole() {
  return {
    roleId: `role-${randomUUID()}`,
    displayName: 'Night watch',
    scope: 'community' as const,
    rank: 10,
    permissions: ['BAN_COMMUNITY_USER' as const],
  }
}
