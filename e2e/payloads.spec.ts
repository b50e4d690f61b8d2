import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { sampled } from '#server/testing/scaled.ts'
import { type Desk, expect, test } from './fixtures.ts'

/** Payloads that would leave an element behind, run a script or break out of the surrounding markup. Each element has `data-planted`. */
const PAYLOADS = [
  '<script data-planted>alert(1)</script>',
  '"><script data-planted>alert(1)</script>',
  '</script><script data-planted>alert(1)</script>',
  '<img data-planted src=x onerror=alert(1)>',
  '<svg data-planted onload=alert(1)>',
  '<svg data-planted><script>alert(1)</script></svg>',
  '<iframe data-planted srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<a data-planted href="javascript:alert(1)">a</a>',
  'javascript:alert(1)//https://x.example',
  '[a](javascript:alert(1)) https://x.example/"onmouseover="alert(1)',
  '<math data-planted><mtext><style><img data-planted src onerror=alert(1)></style></mtext></math>',
  '<details data-planted open ontoggle=alert(1)>',
  '<input data-planted autofocus onfocus=alert(1)>',
  '<base data-planted href="https://x.example/"><meta data-planted http-equiv=refresh content="0;url=https://x.example">',
  '<style data-planted>*{background:url(https://x.example)}</style>',
  '--><!--<b data-planted>\u2028</b>{{constructor.constructor("alert(1)")()}}',
  '&lt;img data-planted src=x onerror=alert(1)&gt;\u202e<b data-planted>',
]

test(`none of ${PAYLOADS.length} payloads in names and texts runs, or becomes an element, on any page`, {
  tag: '@scaled',
}, async ({ page, desk }) => {
  const planted = await plant(desk)
  const broken = await watch(page)
  await desk.signIn(page, 'admin')

  let shown = 0
  for (const path of [...sampled(ownPathsOf(planted), 4), ...sampled(SHARED_PATHS, 1)]) {
    await test.step(path, async () => {
      await page.goto(`${desk.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
      expect(await page.locator('[data-planted], a[href^="javascript:" i]').count()).toBe(0)
      expect(broken).toEqual([])
      shown += await page.getByText('data-planted').count()
    })
  }
  // Visible payloads prove that the pages weren't empty.
  expect(shown).toBeGreaterThan(PAYLOADS.length)
})

interface Planted {
  communityId: string
  channelId: string
  messageId: string
  commentId: string
  userId: string
  staffId: string
}

/** Each payload is somebody's name and the text of a pending item, a reported item and a message. */
async function plant({ database }: Desk): Promise<Planted> {
  const { prisma } = database
  const make = { ...factoriesOf(database), ...channelFactoriesOf(database) }
  const [first = '', second = ''] = PAYLOADS
  const { communityId } = await make.community({ displayName: `${first} ${randomUUID()}` })
  await prisma.community.update({ where: { communityId }, data: { description: PAYLOADS.join(' ') } })
  const { channelId } = await make.channel({ displayName: `${second} ${randomUUID()}` })
  const { postId } = await make.post({ communityId, data: { title: first, text: PAYLOADS.join(' ') } })
  const ids = { messageId: '', commentId: '', userId: '' }
  for (const payload of PAYLOADS) {
    const { userId } = await make.user({ displayName: payload })
    await make.member({ communityId, userId, roles: ['community-moderator'] })
    await make.channelUser({ channelId, userId })
    const said = { data: { text: `${payload} ${PAYLOADS.join('\n')}` } }
    const { commentId } = await make.heldComment({ communityId, userId, referenceId: postId, ...said })
    const { messageId } = await make.message({ channelId, userId, ...said })
    const reported = await make.heldComment({ communityId, userId, approvalStatus: null, ...said })
    const reporter = ctxOf(database, asUser((await make.channelUser({ channelId })).userId))
    const why = { reason: 'Others' as const, detail: payload.slice(0, 100) }
    await flag(reporter, flaggableComment, { id: reported.commentId, flag: why })
    await flag(reporter, flaggableMessage, { id: messageId, flag: why })
    await prisma.note.create({ data: { aboutUserId: userId, writtenBy: userId, communityId, text: payload } })
    await prisma.ban.create({ data: { scope: 'community', communityId, userId, bannedBy: userId, reason: payload } })
    await prisma.mute.create({
      data: { channelId, userId, mutedBy: userId, reason: payload, endsAt: new Date(Date.now() + 3_600_000) },
    })
    Object.assign(ids, { messageId, commentId, userId })
  }
  const staffId = randomUUID()
  await prisma.staffAccount.create({
    data: { id: staffId, name: first, email: `${staffId}@docket.example`, networkUserId: ids.userId },
  })
  return { communityId, channelId, staffId, ...ids }
}

/** Pages about what was planted. */
function ownPathsOf({ communityId, channelId, messageId, commentId, userId, staffId }: Planted): string[] {
  const community = `communityId=${encodeURIComponent(communityId)}`
  return [
    `/queue?${community}`,
    `/queue?${community}&item=comment:${commentId}`,
    `/queue?${community}&view=reported`,
    `/queue?${community}&text=${encodeURIComponent(PAYLOADS[3] ?? '')}`,
    `/communities/${communityId}`,
    `/communities/${communityId}?tab=settings`,
    `/channels/${channelId}`,
    `/users/${userId}`,
    `/messages?channelId=${channelId}`,
    `/messages?channelId=${channelId}&message=${messageId}`,
    `/insights?${community}`,
    `/settings/staff/${staffId}`,
  ]
}

/** Pages about the whole network, which list what was planted among everything else. */
const SHARED_PATHS = [
  '/communities',
  '/channels',
  '/users',
  '/audit',
  '/insights',
  '/settings/staff',
  '/settings/roles',
  '/settings/credentials',
  '/settings/webhooks',
  '/settings/classifiers',
  '/settings/webhooks/deliveries',
  '/settings/reasons',
  '/settings/flags',
  '/settings/targets',
  '/settings/mail',
  '/settings/security',
  '/settings/notifications',
  '/settings/preferences',
  `/audit?action=${encodeURIComponent(PAYLOADS[0] ?? '')}`,
  `/users?q=${encodeURIComponent(PAYLOADS[1] ?? '')}`,
]

/** Records what must not happen: a dialog, an error, a violation of the page's content security policy, and a link to another site. */
async function watch(page: Page): Promise<string[]> {
  const broken: string[] = []
  page.on('dialog', async (dialog) => {
    broken.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('pageerror', (error) => broken.push(`error ${error.message}`))
  page.on('request', (request) => {
    if (request.url().includes('x.example')) broken.push(`request of ${request.url()}`)
  })
  await page.exposeFunction('policyBroken', (directive: string) => broken.push(`policy ${directive}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { policyBroken } = window as unknown as Record<string, (what: string) => void>
      policyBroken?.(`${violatedDirective} ${blockedURI}`)
    })
  })
  return broken
}
