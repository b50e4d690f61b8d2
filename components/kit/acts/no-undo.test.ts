import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appRouter } from '#server/trpc/root.ts'

/** A new mutation is added to one of these. What has no undo is confirmed by a dialog that names what breaks. */
const CONFIRMED = [
  'bulk.start',
  'classifiers.remove',
  'classifiers.replaceSecret',
  'credentials.revoke',
  'ownSignIn.endCodes',
  'ownSignIn.endSessions',
  'ownSignIn.removePasskey',
  'ownSignIn.renewBackupCodes',
  'queues.delete',
  'reasons.archive',
  'rules.applyToPending',
  'rules.archive',
  'settings.changeFlags',
  'staff.endSessions',
  'staff.resetSecondFactor',
  'staff.withdraw',
  'users.erase',
  'webhooks.remove',
  'webhooks.replay',
  'webhooks.replayFailed',
  'webhooks.replayRange',
  'webhooks.rotateSecret',
  'webhooks.skip',
]
/** Offered for a while after the act. `rules.setState` also asks before a rule is made live, with its test. */
const UNDONE = [
  'bans.ban',
  'bans.unban',
  'communities.set',
  'escalations.escalate',
  'lists.add',
  'lists.remove',
  'members.add',
  'members.addRole',
  'members.ban',
  'members.mute',
  'members.remove',
  'members.removeRole',
  'messages.delete',
  'review.decide',
  'review.reverse',
  'review.restore',
  'roles.change',
  'roles.delete',
  'rules.setState',
  'staff.giveRole',
  'staff.switch',
  'staff.takeRole',
]
/** Written by hand in a form, which can write the earlier value again; or the undo itself; or nothing that lasts. */
const CHANGED_BACK = [
  'access.setUp',
  'audit.export',
  'bulk.preview',
  'bulk.previewSanctions',
  'bulk.undo',
  'bulk.work',
  'classifiers.add',
  'classifiers.change',
  'classifiers.switch',
  'classifiers.test',
  'credentials.issueKey',
  'credentials.issueToken',
  'escalations.deescalate',
  'escalations.handOver',
  'insights.export',
  'leases.release',
  'leases.renew',
  'leases.take',
  'members.banAgain',
  'members.putBack',
  'members.unban',
  'messages.bringBack',
  'messages.open',
  'notes.delete',
  'notes.write',
  'ownSignIn.beginCodes',
  'ownSignIn.changePassword',
  'ownSignIn.confirmCodes',
  'preferences.change',
  'queues.change',
  'queues.create',
  'reasons.add',
  'reasons.change',
  'reasons.order',
  'reports.open',
  'review.claim',
  'review.export',
  'review.giveReason',
  'review.look',
  'review.openConversation',
  'review.release',
  'review.undo',
  'review.undoLatest',
  'roles.make',
  'roles.restore',
  'rules.change',
  'rules.create',
  'rules.order',
  'staff.acceptInvite',
  'staff.invite',
  'staff.makeLink',
  'targets.remove',
  'targets.set',
  'targets.setClaimTime',
  'users.export',
  'views.change',
  'views.delete',
  'views.save',
  'views.setDefault',
  'webhooks.add',
  'webhooks.change',
  'webhooks.switch',
  'webhooks.test',
]

const files = globSync('components/**/*.{ts,tsx}')
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(path, 'utf8'))

/** The files that call a mutation. */
const callersOf = (mutation: string) => {
  const called = new RegExp(String.raw`\b${RegExp.escape(mutation)}\.(mutation|mutate)`)
  return files.filter((text) => called.test(text))
}

test('every mutation of the desk can be undone or changed back, or is confirmed', () => {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
  const mutations = Object.keys(procedures).filter((name) => procedures[name]?._def.type === 'mutation')
  expect([...CONFIRMED, ...UNDONE, ...CHANGED_BACK].sort()).toEqual(mutations.sort())
})

const DIALOG = /<ActForm|<PasswordDialog|<MakeLiveDialog|\bconfirm\(/

test.each(CONFIRMED)('%s is only called where a dialog asks first', (mutation) => {
  const callers = callersOf(mutation)
  expect(callers).not.toEqual([])
  // The bulk of a ban is started with the ban's own dialog and its undo.
  expect(callers.filter((text) => !DIALOG.test(text) && !/undo/.test(text))).toEqual([])
})

test.each(UNDONE)('%s is only called where an undo is offered', (mutation) => {
  const callers = callersOf(mutation)
  expect(callers).not.toEqual([])
  expect(callers.filter((text) => !/undo/.test(text))).toEqual([])
})
