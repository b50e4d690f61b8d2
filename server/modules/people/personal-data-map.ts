import { Prisma, type Sql } from '#server/core/db.ts'

/** A column of the database that names people, and what an erasure does with its rows. */
export interface PersonalDataColumn {
  table: string
  column: string
  /** Whether a row `t` belongs to the person, where the column does not hold the person's id itself or names people only in some rows. */
  isTheirs?: (userId: string) => Sql
  /**
   * What an export includes of such a row: what they wrote and what is stored about them, complete except for secrets and what names
   * others; of what they did to others, only that they did it.
   */
  shows: 'all' | { but: string[] } | { only: string[] } | 'nothing'
  /** What an erasure removes: the row, words beside the log, or these columns, which get these values. Ids and states stay. */
  erases?: 'row' | 'words' | Record<string, string>
}

const account = (userId: string) => Prisma.sql`(select a.id from staff_account a where a.network_user_id = ${userId})`
const email = (userId: string) => Prisma.sql`(select a.email from staff_account a where a.network_user_id = ${userId})`

/** Texts beside the log that are about them, or about decided content that they wrote. */
const isAbout = (userId: string) => Prisma.sql`(a.subject_type = 'user' and a.subject_id = ${userId}
  or a.subject_type = 'staff' and a.subject_id in ${account(userId)})`
const isBy = (userId: string) => Prisma.sql`(a.actor_kind in ('user', 'admin') and a.actor_id = ${userId})`
const isOnTheirs = (userId: string) => Prisma.sql`exists (
  select from decision d where d.author_id = ${userId} and d.subject_type::text = a.subject_type and d.subject_id = a.subject_id)`

/** The files that a JSON value names: any of its strings that is a file's id. */
export const filesIn = (value: string) =>
  Prisma.raw(`select named #>> '{}' from jsonb_path_query(${value}, 'strict $.** ? (@.type() == "string")') as named`)

/**
 * The map of personal data: every column that can name a person. A column that is not here names nobody; a test compares the tables with
 * it. Texts of the log come before what they are found by, an account after what belongs to it.
 */
export const PERSONAL_DATA: PersonalDataColumn[] = [
  {
    table: 'network_user',
    column: 'user_id',
    shows: 'all',
    erases: {
      display_name: 'null',
      profile_handle: 'null',
      description: 'null',
      avatar_file_id: 'null',
      avatar_custom_url: 'null',
      metadata: 'null',
      hash_flag: 'null',
      roles: "'{}'",
      is_deleted: 'true',
    },
  },
  { table: 'erasure', column: 'user_id', shows: { but: ['requested_by'] } },
  { table: 'erasure', column: 'requested_by', shows: { only: ['requested_at'] } },

  // Their content is deleted with all that depends on it, one by one, before anything else: see erase-content.ts.
  { table: 'comment', column: 'user_id', shows: { but: ['target_id', 'mentionees'] } },
  { table: 'comment', column: 'target_id', shows: { only: ['comment_id', 'created_at'] } },
  { table: 'post', column: 'posted_user_id', shows: { but: ['shared_user_id', 'target_id', 'mentionees'] } },
  { table: 'post', column: 'shared_user_id', shows: { only: ['post_id', 'created_at'] } },
  { table: 'post', column: 'target_id', shows: { only: ['post_id', 'created_at'] } },
  { table: 'message', column: 'user_id', shows: { but: ['latest_reaction', 'mentionees'] } },
  {
    table: 'message',
    column: 'latest_reaction',
    shows: 'nothing',
    isTheirs: (userId) => Prisma.sql`t.latest_reaction ->> 'userId' = ${userId}`,
    erases: { latest_reaction: "latest_reaction - 'userDisplayName'" },
  },
  {
    table: 'file',
    column: 'file_id',
    shows: 'all',
    isTheirs: (userId) => Prisma.sql`t.file_id in (
      select avatar_file_id from network_user where user_id = ${userId}
      union all select v.* from comment, lateral (${filesIn('jsonb_build_array(data, attachments)')}) v where user_id = ${userId}
      union all select v.* from post, lateral (${filesIn('data')}) v where posted_user_id = ${userId}
      union all select v.* from message, lateral (${filesIn('jsonb_build_array(data, file_id)')}) v where user_id = ${userId})`,
  },
  { table: 'reaction', column: 'user_id', shows: 'all' },
  {
    table: 'flag',
    column: 'user_id',
    shows: { only: ['subject_type', 'reason', 'detail', 'created_at', 'cleared_at'] },
    erases: { reason: "'Others'", detail: 'null' },
  },
  {
    table: 'flag',
    column: 'subject_id',
    isTheirs: (userId) => Prisma.sql`t.subject_type = 'user' and t.subject_id = ${userId}`,
    shows: { only: ['subject_type', 'subject_id', 'reason', 'created_at', 'cleared_at'] },
    erases: { reason: "'Others'", detail: 'null' },
  },
  {
    table: 'stream',
    column: 'user_id',
    shows: { but: ['streamer_url'] },
    erases: { title: 'null', description: 'null', metadata: 'null', thumbnail_file_id: 'null' },
  },
  {
    table: 'room',
    column: 'created_by',
    shows: { but: ['participants', 'deleted_by'] },
    erases: { title: 'null', description: 'null', metadata: 'null', thumbnail_file_id: 'null' },
  },
  { table: 'room', column: 'deleted_by', shows: { only: ['room_id', 'deleted_at'] } },
  {
    table: 'room',
    column: 'participants',
    shows: { only: ['room_id', 'created_at'] },
    isTheirs: (userId) => Prisma.sql`t.participants @> ${JSON.stringify([{ userId }])}::jsonb`,
  },
  { table: 'message_feed', column: 'creator_id', shows: 'all', erases: { name: 'null' } },

  // Memberships.
  { table: 'community', column: 'user_id', shows: { only: ['community_id', 'created_at'] } },
  { table: 'community_user', column: 'user_id', shows: 'all', erases: { not_member_reason: 'null' } },
  { table: 'join_request', column: 'user_id', shows: { but: ['responder_id'] } },
  { table: 'join_request', column: 'responder_id', shows: { only: ['join_request_id', 'status', 'responded_at'] } },
  { table: 'channel', column: 'pinned_by', shows: { only: ['channel_id', 'pinned_at'] } },
  // Its name is derived from that of the user.
  { table: 'channel_user', column: 'user_id', shows: 'all' },
  { table: 'ban', column: 'user_id', shows: { but: ['banned_by', 'lifted_by'] }, erases: { reason: 'null' } },
  { table: 'ban', column: 'banned_by', shows: { only: ['ban_id', 'scope', 'created_at'] }, erases: { reason: 'null' } },
  { table: 'ban', column: 'lifted_by', shows: { only: ['ban_id', 'scope', 'lifted_at'] } },
  { table: 'mute', column: 'user_id', shows: { but: ['muted_by', 'lifted_by'] }, erases: { reason: 'null' } },
  { table: 'mute', column: 'muted_by', shows: { only: ['mute_id', 'created_at'] }, erases: { reason: 'null' } },
  { table: 'mute', column: 'lifted_by', shows: { only: ['mute_id', 'lifted_at'] } },

  // What moderators did and noted.
  {
    table: 'audit_text',
    column: 'text',
    shows: { but: ['salt', 'erased_by'] },
    erases: 'words',
    isTheirs: (userId) => Prisma.sql`t.audit_id in (select a.audit_id from audit a where ${isAbout(userId)})`,
  },
  {
    table: 'audit_text',
    column: 'audit_id',
    shows: 'nothing',
    erases: 'words',
    isTheirs: (userId) => Prisma.sql`t.audit_id in (
      select a.audit_id from audit a where ${isBy(userId)} union all select a.audit_id from audit a where ${isOnTheirs(userId)})`,
  },
  {
    table: 'audit',
    column: 'subject_id',
    shows: { but: ['actor_id', 'text_digest', 'nonce', 'mac'] },
    isTheirs: (userId) => Prisma.sql`t.audit_id in (select a.audit_id from audit a where ${isAbout(userId)})`,
  },
  {
    table: 'audit',
    column: 'actor_id',
    shows: { only: ['audit_id', 'at', 'source', 'action'] },
    isTheirs: (userId) => Prisma.sql`t.audit_id in (select a.audit_id from audit a where ${isBy(userId)})`,
  },
  // Payloads contain their words and names too, among those of others: see events/erase-from-events.ts.
  {
    table: 'event',
    column: 'subject_id',
    shows: { only: ['event_id', 'name', 'created_at'] },
    isTheirs: (userId) => Prisma.sql`t.subject_type = 'user' and t.subject_id = ${userId}`,
  },
  {
    table: 'decision',
    column: 'author_id',
    shows: { but: ['decided_by', 'decided_by_name', 'client_key', 'bulk_id', 'text_digest'] },
    erases: { reason: 'null', text_digest: 'null' },
  },
  {
    table: 'decision',
    column: 'decided_by',
    shows: { only: ['decision_id', 'subject_type', 'outcome', 'decided_at', 'source', 'decided_by_name'] },
    erases: { reason: 'null', decided_by_name: 'decided_by' },
  },
  { table: 'report', column: 'author_id', shows: 'all' },
  {
    table: 'escalation',
    column: 'escalated_by',
    shows: { only: ['escalation_id', 'subject_type', 'escalated_by_name', 'escalated_at'] },
    erases: { note: "''", escalated_by_name: 'escalated_by' },
  },
  { table: 'escalation', column: 'handed_to', shows: { only: ['escalation_id', 'escalated_at'] } },
  { table: 'escalation', column: 'closed_by', shows: { only: ['escalation_id', 'closed_at'] } },
  {
    table: 'bulk',
    column: 'made_by',
    shows: { only: ['bulk_id', 'made_by_name', 'outcome', 'created_at'] },
    erases: { reason: 'null', made_by_name: 'made_by' },
  },
  { table: 'note', column: 'about_user_id', shows: { but: ['written_by'] }, erases: 'row' },
  { table: 'note', column: 'written_by', shows: { only: ['note_id', 'created_at'] }, erases: 'row' },
  { table: 'rejection_reason', column: 'updated_by', shows: { only: ['reason_id', 'updated_at'] } },
  { table: 'service_target', column: 'updated_by', shows: { only: ['updated_at'] } },
  { table: 'list_rule', column: 'created_by', shows: { only: ['rule_id', 'created_at'] } },
  { table: 'network_settings', column: 'updated_by', shows: { only: ['updated_at'] } },
  { table: 'webhook_endpoint', column: 'created_by', shows: { only: ['endpoint_id', 'created_at'] } },

  // Their own settings at the desk, and their credentials.
  { table: 'saved_view', column: 'owner_id', shows: 'all', erases: 'row' },
  { table: 'staff_preference', column: 'user_id', shows: 'all', erases: 'row' },
  { table: 'lease', column: 'holder_id', shows: { only: ['taken_at', 'expires_at'] }, erases: 'row' },
  { table: 'access_token', column: 'user_id', shows: { but: ['digest', 'created_by'] }, erases: 'row' },
  { table: 'api_key', column: 'created_by', shows: { only: ['key_id', 'created_at'] } },
  { table: 'role', column: 'updated_by', shows: { only: ['role_id', 'updated_at'] } },
  { table: 'access_token', column: 'created_by', shows: { only: ['token_id', 'kind', 'created_at'] } },
  { table: 'auth_token', column: 'user_id', shows: { but: ['digest'] }, erases: 'row' },
  {
    table: 'sign_in_tries',
    column: 'key',
    shows: 'all',
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`t.key in (
      select 'desk-account:' || lower(mine.email) from ${email(userId)} mine
      union all select 'desk-account:own-' || mine.id from ${account(userId)} mine union all select 'rest-account:' || lower(${userId}))`,
  },
  {
    table: 'staff_verification',
    column: 'identifier',
    shows: { but: ['value'] },
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`(t.identifier in ${email(userId)} or t.value in ${account(userId)})`,
  },
  {
    table: 'staff_session',
    column: 'staff_account_id',
    shows: { but: ['token'] },
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`t.staff_account_id in ${account(userId)}`,
  },
  {
    table: 'staff_login',
    column: 'staff_account_id',
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`t.staff_account_id in ${account(userId)}`,
    shows: { but: ['password', 'access_token', 'refresh_token', 'id_token'] },
  },
  {
    table: 'staff_second_factor',
    column: 'staff_account_id',
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`t.staff_account_id in ${account(userId)}`,
    shows: { but: ['secret', 'backup_codes'] },
  },
  {
    table: 'staff_passkey',
    column: 'staff_account_id',
    shows: { but: ['public_key'] },
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`t.staff_account_id in ${account(userId)}`,
  },
  {
    table: 'staff_link',
    column: 'staff_account_id',
    shows: { but: ['digest', 'created_by'] },
    erases: 'row',
    isTheirs: (userId) => Prisma.sql`t.staff_account_id in ${account(userId)}`,
  },
  { table: 'staff_link', column: 'created_by', shows: { only: ['created_at', 'expires_at'] } },
  { table: 'staff_account', column: 'network_user_id', shows: 'all', erases: 'row' },
]

/** Whether a row `t` of the entry's table belongs to this person. */
export function isOf({ column, isTheirs }: PersonalDataColumn, userId: string): Sql {
  return isTheirs?.(userId) ?? Prisma.sql`t.${Prisma.raw(column)} = ${userId}`
}
