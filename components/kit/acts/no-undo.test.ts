import { globSync, readFileSync } from 'node:fs'
import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language, type LanguageFacts } from '#components/i18n/locale.ts'
import { ar } from '#components/i18n/messages/ar.ts'
import { de } from '#components/i18n/messages/de.ts'
import { en } from '#components/i18n/messages/en.ts'
import { appRouter } from '#server/trpc/root.ts'

interface Confirmation {
  /** The messages of its dialog that say what breaks, by their path in the catalogue. */
  says: string[]
  /** The argument that names how much; left out where the desk knows no number. */
  number?: string
}

/** A new mutation is added to one of these. What has no undo is confirmed by a dialog that names what breaks. */
const CONFIRMED: Record<string, Confirmation> = {
  'appeals.decide': {
    says: ['kept', 'rejected', 'deleted', 'banned', 'muted', 'warned'].map((key) => `appeals.means.${key}`),
  },
  'bulk.start': { says: ['many.will.approved', 'many.will.rejected'], number: 'count' },
  'classifiers.remove': { says: ['classifiers.removeMeans'], number: 'waiting' },
  'classifiers.replaceSecret': { says: ['classifiers.replaceMeans'], number: 'waiting' },
  'credentials.revoke': { says: ['credentials.revokeMeans.key'], number: 'sessions' },
  'notifications.changeMail': { says: ['mailSettings.removeMeans'] },
  'notifications.removeRoom': { says: ['rooms.removeMeans'], number: 'waiting' },
  'ownSignIn.endCodes': { says: ['security.codes.end.means'] },
  'ownSignIn.endSessions': { says: ['security.sessions.askMeans'], number: 'sessions' },
  'ownSignIn.removePasskey': { says: ['security.passkeys.askMeans'], number: 'left' },
  'ownSignIn.renewBackupCodes': { says: ['security.codes.renew.means'] },
  'policies.archive': { says: ['policies.archiveMeans'], number: 'count' },
  'queues.delete': { says: ['rules.queues.deleteMeans'], number: 'count' },
  'reasons.archive': { says: ['reasonSettings.retireMeans'], number: 'after' },
  'rules.applyToPending': { says: ['rules.backtest.applyMeans'], number: 'found' },
  'rules.archive': { says: ['rules.life.archiveMeans'] },
  'settings.changeFlags': { says: ['flags.askMeans'], number: 'count' },
  'staff.endSessions': { says: ['staff.ask.endSessions.means'], number: 'sessions' },
  'staff.resetSecondFactor': { says: ['staff.ask.resetFactor.means'], number: 'passkeys' },
  'staff.withdraw': { says: ['staff.ask.withdraw.means'] },
  'translations.change': { says: ['translationSettings.removeMeans'] },
  'users.erase': {
    says: ['users.erase.comments', 'users.erase.posts', 'users.erase.messages', 'users.erase.openReports'],
    number: 'count',
  },
  'webhooks.remove': { says: ['webhooks.removeMeans'], number: 'waiting' },
  'webhooks.replayFailed': { says: ['webhooks.willFailed'], number: 'count' },
  'webhooks.replayRange': { says: ['webhooks.willRange'], number: 'count' },
  'webhooks.rotateSecret': { says: ['webhooks.rotateMeans'] },
  'webhooks.skip': { says: ['webhooks.skipMeans'] },
}
/** Can be undone, and asks first where what happens until then stays. */
const ASKED: Record<string, Confirmation> = {
  'lists.remove': { says: ['flags.emptyMeans'] },
  'rules.setState': { says: ['rules.live.ofNetwork'], number: 'count' },
}
/** Offered for a while after the act. */
const UNDONE = [
  'authorTreatments.end',
  'authorTreatments.set',
  'bans.ban',
  'bans.unban',
  'bulk.remove',
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
  'warnings.warn',
]
/** Written by hand in a form, which can write the earlier value again; or the undo itself; or nothing that lasts, such as sending again what a failure sends again too. */
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
  'notifications.addRoom',
  'notifications.change',
  'notifications.changeRoom',
  'notifications.changeTexts',
  'notifications.resumeMail',
  'notifications.stop',
  'notifications.subscribe',
  'notifications.testMail',
  'notifications.testRoom',
  'notifications.unsubscribe',
  'ownSignIn.beginCodes',
  'ownSignIn.changePassword',
  'ownSignIn.confirmCodes',
  'policies.addStarters',
  'policies.change',
  'policies.create',
  'preferences.change',
  'queues.change',
  'queues.create',
  'reasons.add',
  'reasons.change',
  'reasons.order',
  'reports.open',
  'review.claim',
  'review.edit',
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
  'rules.testDraft',
  'staff.acceptInvite',
  'staff.invite',
  'staff.makeLink',
  'targets.remove',
  'targets.set',
  'targets.setClaimTime',
  'translations.item',
  'translations.switch',
  'translations.test',
  'users.export',
  'views.change',
  'views.delete',
  'views.save',
  'views.setDefault',
  'webhooks.add',
  'webhooks.change',
  'webhooks.replay',
  'webhooks.switch',
  'webhooks.test',
  'warnings.undo',
]

/** For people without the desk: the page says that it is once. */
const ONCE = ['statements.appeal']

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
  expect([...Object.keys(CONFIRMED), ...UNDONE, ...CHANGED_BACK, ...ONCE].sort()).toEqual(mutations.sort())
})

/** Dialogs that their page opens for its act. */
const DIALOGS = files.filter((text) => /<(ActForm|FormDialog)/.test(text))
const DIALOG = /<ActForm|<FormDialog|<PasswordDialog|<MakeLiveDialog|\bconfirm\(/

test.each(Object.keys(CONFIRMED))('%s is only called where a dialog asks first', (mutation) => {
  const callers = callersOf(mutation)
  expect(callers).not.toEqual([])
  // The bulk of a ban is started with the ban's own dialog and its undo.
  expect(callers.filter((text) => !DIALOG.test(text) && !/undo/.test(text))).toEqual([])
})

const MANY = 37

describe.each(Object.entries({ en, de, ar }))('in the catalogue of %s', (language, catalogue) => {
  const { locale } = LANGUAGES[language as Language]

  test.each(
    Object.entries({ ...CONFIRMED, ...ASKED }),
  )('the dialog of %s says what breaks, with the number where there is one', (mutation, { says, number }) => {
    for (const path of says) {
      const message = messageAt(catalogue, path)
      expect(message.split(' ').length).toBeGreaterThan(3)
      if (number) expect(said(message, locale, { [number]: MANY })).toContain(String(MANY))
      expect([...callersOf(mutation), ...DIALOGS].some((text) => isShownBy(text, path))).toBe(true)
    }
  })
})

test('a reset of a second factor names the app, its backup codes and the passkeys', () => {
  const words = said(en.staff.ask.resetFactor.means, 'en-GB', { passkeys: 2 })
  expect(words).toMatch(/just a password.*authenticator app and its backup codes stop working.*2 passkeys are deleted/)
})

test('an empty allow-list is said to refuse every link, before it is used and before it is emptied', () => {
  const refused = 'every post, comment and message with a link will be refused'
  expect(said(en.flags.askMeans, 'en-GB', { count: 0 })).toContain(refused)
  expect(en.flags.emptyMeans).toContain(refused)
})

test.each(UNDONE)('%s is only called where an undo is offered', (mutation) => {
  const callers = callersOf(mutation)
  expect(callers).not.toEqual([])
  expect(callers.filter((text) => !/undo/.test(text))).toEqual([])
})

function messageAt(catalogue: object, path: string): string {
  const message = path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], catalogue)
  if (typeof message !== 'string') throw new Error(`No message at ${path}`)
  return message
}

/** The message with these values, and 0 for every other argument. */
function said(message: string, locale: LanguageFacts['locale'], values: Record<string, number>): string {
  const others = Object.fromEntries([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => [name, 0]))
  const onError = (error: Error) => {
    throw error
  }
  return createTranslator({ locale, messages: { message }, onError })('message', { ...others, ...values })
}

/** Whether a part of the desk names the message, or composes its name of an act and an ending. */
function isShownBy(text: string, path: string): boolean {
  const [group = '', key = ''] = path.split('.').slice(-2)
  const ending = key.replace(/^[a-z]+/, '')
  const isBuilt = text.includes(`t(\`${group}.\${`) || (ending !== '' && text.includes(`}${ending}\``))
  return isBuilt || new RegExp(`\\b${key}['\`]`).test(text)
}
