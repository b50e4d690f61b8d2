import { randomUUID } from 'node:crypto'
import { test as base, type Page, type Response } from '@playwright/test'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { sessionCookie } from '#server/testing/session-cookie.ts'
import { createStaffAccount, type StaffAccount } from '#server/testing/staff-account.ts'
import { withItems } from '#server/testing/with-items.ts'

const WORDS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

interface HeldComment {
  commentId: string
  userId: string
  text: string
  authorName: string
  postId: string
}

interface HeldItems {
  communityId: string
  held: HeldComment[]
  /** The comment that every second one replies to. */
  parentId: string
}

/** The start of a test: a community of its own with eight held comments, newest held first, and functions that create people. */
export interface Desk {
  url: string
  community: { communityId: string; displayName: string }
  held: HeldComment[]
  /** Signs in a new person with this role in the page's browser context; a moderator reviews this desk's community. */
  signIn(page: Page, role: 'moderator' | 'admin' | 'support'): Promise<StaffAccount>
  /** Creates an account without signing in. */
  account(role: 'moderator' | 'admin' | 'support'): Promise<StaffAccount>
  /** Decides as another person, without this page. */
  decideElsewhere(commentId: string, outcome: 'approved' | 'rejected'): Promise<{ name: string }>
  stateOf(commentId: string): Promise<string | null>
  database: Database
}

export const test = base.extend<{ desk: Desk }, { deskDatabase: Database }>({
  deskDatabase: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of this parameter
    async ({}, use) => {
      const database = openDatabase({
        url: process.env.DESK_DATABASE_URL ?? '',
        connections: 4,
        keptConnections: 4,
        onError: () => {},
      })
      await use(withItems(database))
      await database.close()
    },
    { scope: 'worker' },
  ],

  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        context.on('page', waitUntilAwake)
        return context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],

  // The context of all tests, with its first page: `browser.newContext` doesn't make it.
  context: async ({ context }, use) => {
    for (const page of context.pages()) waitUntilAwake(page)
    context.on('page', waitUntilAwake)
    await use(context)
  },

  desk: async ({ deskDatabase }, use) => {
    await use(await makeDesk(deskDatabase, process.env.DESK_URL ?? ''))
  },
})
export const expect = base.expect

const waiting = new WeakSet<Page>()

/** Makes page loads wait until the page is hydrated: text typed before that is lost. */
function waitUntilAwake(page: Page): void {
  if (waiting.has(page)) return
  waiting.add(page)
  for (const open of ['goto', 'reload'] as const) {
    const opened = page[open].bind(page) as (...how: unknown[]) => Promise<Response | null>
    page[open] = async (...how: unknown[]) => {
      // A page whose session has ended goes to sign-in by itself, which aborts opening sign-in.
      const answer = await opened(...how).catch((error: unknown) => {
        const isRedirected = String(how[0]).endsWith('/sign-in') && String(error).includes('net::ERR_ABORTED')
        if (isRedirected) return opened(...how)
        throw error
      })
      // Pages under /api/ are not React pages.
      if (!new URL(page.url()).pathname.startsWith('/api/')) await untilAwake(page)
      return answer
    }
  }
}

async function untilAwake(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactProps$'))
  })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

/** Adds the comments and their authors, who are members of the community; with few statements, as every test starts with it. */
async function hold({ prisma }: Database, { communityId, held, parentId }: HeldItems): Promise<void> {
  await prisma.user.createMany({ data: held.map(({ userId, authorName }) => ({ userId, displayName: authorName })) })
  await prisma.communityUser.createMany({
    data: held.map(({ userId }) => ({ communityId, userId, membership: 'member' as const })),
  })
  await prisma.comment.createMany({
    data: held.map(({ commentId, userId, text, postId }, index) => {
      const heldAt = Date.now() - (index + 1) * 40 * 60_000
      return {
        commentId,
        communityId,
        userId,
        targetType: 'community' as const,
        referenceType: 'post' as const,
        referenceId: postId,
        ...(index % 2 === 0 && { parentId }),
        dataTypes: ['text'],
        data: { text },
        approvalStatus: 'pending' as const,
        createdAt: new Date(heldAt - 5 * 60_000),
        queuedAt: new Date(heldAt),
      }
    }),
  })
}

async function makeDesk(database: Database, url: string): Promise<Desk> {
  const make = factoriesOf(database)
  const ctx = systemCtx(database)
  const displayName = `Harbour ${randomUUID().slice(0, 8)}`
  const { communityId } = await make.community({ displayName })
  const post = await make.post({ communityId, data: { title: 'High water at the quay' } })
  const parent = await make.heldComment({
    communityId,
    approvalStatus: 'approved',
    referenceId: post.postId,
    data: { text: 'Is the lower road open again?' },
  })
  const held = WORDS.map((word) => ({
    commentId: `comment-${randomUUID()}`,
    userId: `user-${randomUUID()}`,
    text: `The ${word} comment says that the water stood at the harbour wall.`,
    authorName: `Author ${word}`,
    postId: post.postId,
  }))
  await hold(database, { communityId, held, parentId: parent.commentId })

  const account: Desk['account'] = async (role) => {
    const roleOf = {
      moderator: { roleId: 'community-moderator', communityId },
      admin: { roleId: 'global-admin' },
      support: { roleId: 'support' },
    }
    const person = await createStaffAccount(database, { name: `Person ${randomUUID().slice(0, 8)}`, ...roleOf[role] })
    // Like somebody who has worked here before.
    await database.prisma.staffPreference.create({
      data: { userId: person.userId, preferences: { areFirstStepsDone: true } },
    })
    return person
  }

  return {
    url,
    database,
    community: { communityId, displayName },
    held,
    account,
    signIn: async (page, role) => {
      const person = await account(role)
      await page
        .context()
        .addCookies([{ ...(await sessionCookie(database, person.staffId)), url, httpOnly: true, sameSite: 'Lax' }])
      return person
    },
    decideElsewhere: async (commentId, outcome) => {
      const { decide } = await import('#server/modules/review/decisions/decide.ts')
      const reviewer = await make.reviewerOf(communityId)
      await decide(
        { ...ctx, actor: reviewer, source: 'desk', undoWindowMs: 10_000 },
        { subjectType: 'comment', subjectId: commentId, outcome },
      )
      return { name: reviewer.name }
    },
    stateOf: async (commentId) => {
      const comment = await database.prisma.comment.findUniqueOrThrow({ where: { commentId } })
      return comment.approvalStatus
    },
  }
}
