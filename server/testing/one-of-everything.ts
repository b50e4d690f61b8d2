import { randomUUID } from 'node:crypto'
import type { Database } from '#server/core/database/open-database.ts'
import { inTransaction } from '#server/core/db.ts'
import { answerUsers } from '#server/modules/accounts/users/read-users.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'

/** A person with a word that is contained in all their names, their content, and everything said about them. */
export interface WordedPerson {
  userId: string
  word: string
  email: string
  staffId: string
}

/** A person whose name, handle and avatar contain their word, with a staff account. */
export async function makeWorded({ prisma }: Database): Promise<WordedPerson> {
  const id = randomUUID()
  const person = { userId: `user-${id}`, word: `word${id.replaceAll('-', '')}`, staffId: `staff-${id}` }
  const { userId, word, staffId } = person
  const email = `${word}@docket.example`
  await prisma.file.create({ data: { fileId: `avatar-${id}`, fileUrl: `https://x.example/${word}`, altText: word } })
  await prisma.user.create({
    data: {
      userId,
      displayName: `Name ${word}`,
      profileHandle: word,
      description: `About ${word}`,
      metadata: { note: word },
      avatarFileId: `avatar-${id}`,
      avatarCustomUrl: `https://x.example/${word}.png`,
      roles: ['support'],
    },
  })
  await prisma.staffAccount.create({ data: { id: staffId, name: word, email, networkUserId: userId } })
  return { ...person, email }
}

/** One row of every kind of data about `me`; where another person is involved, it is `other`. */
export async function makeOneOfEverything(database: Database, me: WordedPerson, other: WordedPerson): Promise<void> {
  const { prisma } = database
  const { userId, word } = me
  const id = (kind: string) => `${kind}-${randomUUID()}`
  const now = new Date()
  const communityId = id('community')
  const channelId = id('channel')
  await prisma.community.create({ data: { communityId, displayName: 'A place', userId } })
  await prisma.channel.create({ data: { channelId, displayName: 'A room', pinnedBy: userId, pinnedAt: now } })

  const erasure = { requestedBy: other.userId, requestedAt: now, workedAt: now, finishedAt: now }
  await prisma.erasure.create({ data: { userId, ...erasure } })

  // Content of `me`.
  const file = async () => {
    const fileId = id('file')
    await prisma.file.create({ data: { fileId, fileUrl: `https://x.example/${word}`, altText: word } })
    return fileId
  }
  const [inComment, inPost, inMessage] = [await file(), await file(), await file()]
  const said = { data: { text: `Said ${word}` }, metadata: { note: word } }
  const commentId = id('comment')
  const postId = id('post')
  const messageId = id('message')
  await prisma.comment.create({
    data: {
      commentId,
      userId,
      targetType: 'community',
      communityId,
      approvalStatus: 'pending',
      queuedAt: now,
      createdAt: now,
      flagCount: 1,
      ...said,
      attachments: [{ type: 'image', fileId: inComment }],
    },
  })
  await prisma.comment.create({
    data: { commentId: id('comment'), userId, targetType: 'user', targetId: userId, ...said },
  })
  await prisma.post.create({
    data: {
      postId,
      postedUserId: userId,
      communityId,
      hashtags: [word],
      ...said,
      data: { title: word, fileId: inPost },
    },
  })
  await prisma.post.create({
    data: { postId: id('post'), parentPostId: postId, postedUserId: userId, communityId, data: { text: word } },
  })
  await prisma.message.create({
    data: { messageId, userId, channelId, fileId: inMessage, tags: [word], ...said },
  })
  await prisma.stream.create({
    data: { streamId: id('stream'), userId, title: word, description: word, metadata: { word } },
  })
  await prisma.room.create({
    data: { roomId: id('room'), createdBy: userId, title: word, description: word, metadata: { word } },
  })
  await prisma.messageFeed.create({ data: { messageFeedId: id('feed'), channelId, creatorId: userId, name: word } })

  // Actions of `me` on others' content, and of others on theirs.
  const theirs = { userId: other.userId, data: { text: `Said ${other.word}` } }
  const theirMessage = id('message')
  await prisma.message.create({
    data: {
      messageId: theirMessage,
      channelId,
      ...theirs,
      latestReaction: { referenceId: theirMessage, reactionName: 'like', userId, userDisplayName: word },
    },
  })
  await prisma.post.create({
    data: { postId: id('post'), postedUserId: other.userId, sharedUserId: userId, communityId, data: theirs.data },
  })
  await prisma.post.create({
    data: {
      postId: id('post'),
      postedUserId: other.userId,
      targetType: 'user',
      targetId: userId,
      editedBy: userId,
      data: theirs.data,
    },
  })
  await prisma.comment.create({
    data: { commentId: id('comment'), targetType: 'user', targetId: userId, editedBy: userId, ...theirs },
  })
  await prisma.reaction.create({
    data: { subjectType: 'message', subjectId: theirMessage, userId, reactionName: 'like' },
  })
  await prisma.room.create({
    data: {
      roomId: id('room'),
      createdBy: other.userId,
      deletedBy: userId,
      title: other.word,
      participants: [{ type: 'host', userId }],
    },
  })
  const measured = { name: 'toxicity', score: 0.5, measuredAt: now, receivedAt: now }
  await prisma.signal.createMany({
    data: [
      { subjectType: 'comment', subjectId: commentId, ...measured },
      { subjectType: 'post', subjectId: postId, ...measured },
      { subjectType: 'message', subjectId: messageId, ...measured },
      { subjectType: 'message', subjectId: theirMessage, ...measured },
    ],
  })
  await prisma.flag.createMany({
    data: [
      { subjectType: 'message', subjectId: theirMessage, userId, reason: word, detail: `Why ${word}` },
      { subjectType: 'user', subjectId: userId, userId: other.userId, reason: 'Spam', detail: other.word },
      { subjectType: 'comment', subjectId: commentId, userId: other.userId, reason: 'Spam', detail: other.word },
    ],
  })

  // Memberships.
  await prisma.communityUser.createMany({
    data: [
      { communityId, userId, membership: 'member', notMemberReason: word },
      { communityId, userId: other.userId, membership: 'member' },
    ],
  })
  await prisma.channelUser.createMany({
    data: [
      { channelId, userId, membership: 'member' },
      { channelId, userId: other.userId, membership: 'member' },
    ],
  })
  await prisma.joinRequest.create({ data: { communityId, userId, responderId: other.userId, status: 'approved' } })
  const measure = { userId, reason: word, liftedBy: other.userId, liftedAt: now }
  await prisma.ban.create({ data: { scope: 'network', bannedBy: other.userId, ...measure } })
  await prisma.mute.create({ data: { channelId, mutedBy: other.userId, endsAt: now, ...measure } })
  const treatment = { userId, reason: word, setBy: other.userId, createdAt: now, endedBy: other.userId, endedAt: now }
  await prisma.authorTreatment.create({ data: { kind: 'hold', ...treatment } })
  const restriction = {
    userId,
    measure: 'rejected',
    subjectType: 'comment' as const,
    subjectId: commentId,
    communityId,
  }
  await prisma.statement.create({
    data: { ...restriction, createdAt: now, issuedAt: now, words: word, madeBy: other.userId },
  })

  await prisma.appeal.create({
    data: {
      ...{ statementId: `statement-of-${userId}`, userId, firstDecider: `first-${userId}`, words: word, answer: word },
      ...{ state: 'kept', createdAt: now, decidedBy: other.userId, decidedAt: now },
    },
  })

  // Actions of moderators.
  const subject = { subjectType: 'comment' as const, subjectId: commentId, communityId }
  await prisma.decision.create({
    data: {
      ...subject,
      authorId: userId,
      outcome: 'rejected',
      reason: word,
      decidedBy: other.userId,
      decidedByName: other.word,
      decidedAt: now,
      source: 'desk',
      version: 2,
      eventId: 0,
      textDigest: Buffer.from(word),
    },
  })
  await prisma.reviewItem.create({
    data: {
      ...subject,
      kind: 'reported',
      state: 'waiting',
      version: 1,
      writtenAt: now,
      authorId: userId,
      flagCount: 1,
      openedAt: now,
      placedAt: now,
      text: word,
      escalatedBy: other.userId,
      escalatedByName: other.word,
      escalationNote: word,
      handedTo: other.userId,
      escalatedAt: now,
      claimedBy: other.userId,
      claimedUntil: now,
    },
  })
  await prisma.reviewEvidence.create({
    data: {
      subjectType: 'comment',
      subjectId: commentId,
      kind: 'reported',
      version: 1,
      authorId: userId,
      text: word,
      replacedAt: now,
    },
  })
  await prisma.bulk.create({
    data: {
      bulkId: randomUUID(),
      madeBy: userId,
      madeByName: word,
      outcome: 'rejected',
      reason: word,
      createdAt: now,
      workedAt: now,
      sanction: 'ban',
      sanctionScope: 'network',
      sanctionReason: word,
      sanctions: { create: { position: 1, spaceId: '', userId } },
    },
  })
  await prisma.note.create({ data: { aboutUserId: userId, writtenBy: other.userId, text: `Noted ${word}` } })
  await prisma.rejectionReason.create({ data: { position: 1, label: 'Spam', updatedBy: userId } })
  await prisma.policy.create({
    data: {
      createdAt: now,
      updatedAt: now,
      versions: {
        create: {
          version: 1,
          texts: { en: { title: 'Spam', text: 'No spam.' } },
          ground: 'terms',
          weight: 1,
          category: 'OTHER_VIOLATION_TC',
          reportReasons: [],
          createdBy: userId,
          createdAt: now,
        },
      },
    },
  })
  await prisma.rule.create({
    data: {
      position: 1,
      name: 'Spam',
      ownerId: userId,
      createdAt: now,
      updatedAt: now,
      versions: {
        create: {
          version: 1,
          kinds: ['comment'],
          condition: { kind: 'links' },
          action: { type: 'hold' },
          createdBy: userId,
          createdAt: now,
        },
      },
    },
  })
  await prisma.serviceTarget.create({
    data: { communityId, withinMinutes: 30, sharePercent: 50, updatedBy: userId, updatedAt: now },
  })
  await prisma.listRule.create({ data: { list: 'block', pattern: id('p'), matcher: 'm', createdBy: userId } })
  await prisma.networkSettings.update({ where: { id: 1 }, data: { updatedBy: userId } })
  await prisma.notificationSettings.update({ where: { id: 1 }, data: { updatedBy: userId } })
  await prisma.translationSettings.update({ where: { id: 1 }, data: { updatedBy: userId } })
  await prisma.webhookEndpoint.create({
    data: { url: 'https://x.example', secret: Buffer.from('secret'), createdBy: userId },
  })
  await prisma.chatRoom.create({
    data: {
      name: 'A room',
      format: 'slack',
      address: Buffer.from('secret'),
      host: 'chat.example',
      topics: ['reports'],
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
      posts: {
        create: {
          topic: 'reports',
          subjectType: 'user',
          subjectId: other.userId,
          key: id('n'),
          dueAt: now,
          createdAt: now,
        },
      },
    },
  })
  await prisma.classifier.create({
    data: {
      name: 'A classifier',
      url: 'https://x.example',
      secret: Buffer.from('secret'),
      kinds: ['comment'],
      deadlineMs: 2_000,
      batchSize: 10,
      readTo: 0,
      disabledAt: now,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    },
  })
  await recordHistory(database, { me, other, commentId, messageId, communityId })

  // Data of a person at the desk.
  const tokenOf = () => ({ digest: Buffer.from(randomUUID()), expiresAt: now })
  await prisma.namedQueue.create({
    data: { name: 'Queue', createdAt: now, updatedAt: now, members: { create: { userId } } },
  })
  await prisma.savedView.create({ data: { ownerId: userId, name: word, page: 'queue', filters: { text: word } } })
  await prisma.staffPreference.create({ data: { userId, preferences: { word } } })
  await prisma.notificationChoice.create({ data: { userId, topic: 'reports', channel: 'mail', pace: 'daily' } })
  await prisma.notificationPerson.create({ data: { userId, zone: 'UTC', updatedAt: now } })
  const keys = { p256dh: 'k', auth: 'a', createdAt: now }
  await prisma.pushSubscription.create({ data: { ...keys, userId, endpoint: `https://push.example/${word}` } })
  const notification = { topic: 'reports', channel: 'mail', key: id('n'), dueAt: now, createdAt: now }
  await prisma.notification.create({ data: { ...notification, userId, subjectType: 'user', subjectId: other.userId } })
  await prisma.lease.create({ data: { subjectType: 'comment', subjectId: id('c'), holderId: userId, expiresAt: now } })
  await prisma.accessToken.create({ data: { ...tokenOf(), kind: 'user', userId, createdBy: other.userId } })
  const { keyId } = await prisma.apiKey.create({
    data: { digest: Buffer.from(randomUUID()), name: 'An app', createdBy: userId },
  })
  await prisma.role.create({ data: { roleId: id('r'), scope: 'network', updatedBy: userId } })
  await prisma.authToken.create({ data: { ...tokenOf(), userId, keyId } })
  await prisma.signInTries.create({ data: { key: `desk-account:${me.email}` } })
  await prisma.staffVerification.create({ data: { id: id('v'), identifier: me.email, value: 'v', expiresAt: now } })
  await prisma.staffSession.create({
    data: { id: id('s'), token: randomUUID(), userId: me.staffId, userAgent: word, expiresAt: now },
  })
  await prisma.staffLogin.create({
    data: { id: id('l'), accountId: me.email, providerId: 'credential', userId: me.staffId, password: 'hash' },
  })
  await prisma.staffSecondFactor.create({ data: { id: id('f'), userId: me.staffId, secret: 's', backupCodes: 'b' } })
  await prisma.staffPasskey.create({
    data: {
      id: id('p'),
      userId: me.staffId,
      name: word,
      credentialID: id('k'),
      publicKey: 'k',
      counter: 0,
      deviceType: 'singleDevice',
      backedUp: false,
    },
  })
  await prisma.staffLink.create({
    data: { digest: Buffer.from(randomUUID()), staffId: me.staffId, createdBy: other.userId, expiresAt: now },
  })
}

interface History {
  me: WordedPerson
  other: WordedPerson
  commentId: string
  messageId: string
  communityId: string
}

/** // The log and the events about both: words about `me`, and a payload that contains both. */
async function recordHistory(database: Database, { me, other, commentId, messageId, communityId }: History) {
  const subject = { subjectType: 'user', subjectId: me.userId }
  await inTransaction(ctxOf(database, asUser(other.userId)), async (ctx) => {
    await recordAudit(ctx, { ...subject, action: 'user.noted', text: `Noted ${me.word}` })
    await recordAudit(ctx, { action: 'comment.rejected', subjectType: 'comment', subjectId: commentId, text: me.word })
    const comment = (who: WordedPerson, id: string) => ({ commentId: id, userId: who.userId, data: { text: who.word } })
    await recordEvent(ctx, {
      ...subject,
      name: 'user.didFlag',
      payload: {
        ...(await answerUsers(ctx, [me.userId, other.userId])),
        comments: [comment(me, commentId), comment(other, 'another')],
        messages: [{ messageId, userId: me.userId, creatorId: 'internal', data: { text: me.word } }],
        channel: [{ channelId: 'c', pinnedMessage: { messageId, creatorId: me.userId, data: { text: me.word } } }],
        communities: [{ communityId, userId: me.userId, displayName: 'A place', membersCount: 1 }],
        communityUsers: [{ communityId, userId: me.userId, communityMembership: 'member' }],
        actorId: other.userId,
      },
    })
  })
}
