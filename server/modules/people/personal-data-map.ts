import { type Sql, sql } from '#server/core/db.ts'

/** What an export shows of the rows that a column gives to a person, and what an erasure does with them. */
export interface PersonalDataColumn {
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

const account = (userId: string) => sql`(select a.id from staff_account a where a.network_user_id = ${userId})`
const email = (userId: string) => sql`(select a.email from staff_account a where a.network_user_id = ${userId})`

const isOfAccount = (userId: string) => sql`t.staff_account_id in ${account(userId)}`

/** Texts stored beside the log that are about them, or about decided content that they wrote. */
const isAbout = (userId: string) => sql`(a.subject_type = 'user' and a.subject_id = ${userId}
  or a.subject_type = 'staff' and a.subject_id in ${account(userId)})`
const isBy = (userId: string) => sql`(a.actor_kind in ('user', 'admin') and a.actor_id = ${userId})`
const isOnTheirs = (userId: string) => sql`exists (
  select from decision d where d.author_id = ${userId} and d.subject_type::text = a.subject_type and d.subject_id = a.subject_id)`

/** The files that a JSON value names: any of its strings that is a file's id. */
export const filesIn = (value: string) =>
  sql.raw(`select named #>> '{}' from jsonb_path_query(${value}, 'strict $.** ? (@.type() == "string")') as named`)

/**
 * The map of personal data: by table, every column that can name a person. A column that is not here names nobody; a test compares the
 * tables with it. Its order is that of erasing: texts of the log before the rows by which they are found, an account after what belongs to it.
 */
export const PERSONAL_DATA: Record<string, Record<string, PersonalDataColumn>> = {
  network_user: {
    user_id: {
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
  },
  erasure: {
    user_id: { shows: { but: ['requested_by'] } },
    requested_by: { shows: { only: ['requested_at'] } },
  },

  // Their content is deleted with all that depends on it, one by one, before anything else: see erase-content.ts.
  comment: {
    user_id: {
      shows: { but: ['target_id', 'edited_by', 'mentionees', 'link_keys'] },
    },
    target_id: { shows: { only: ['comment_id', 'created_at'] } },
    edited_by: { shows: { only: ['comment_id', 'edited_at'] } },
  },
  post: {
    posted_user_id: {
      shows: {
        but: ['shared_user_id', 'target_id', 'edited_by', 'mentionees', 'link_keys'],
      },
    },
    shared_user_id: { shows: { only: ['post_id', 'created_at'] } },
    target_id: { shows: { only: ['post_id', 'created_at'] } },
    edited_by: { shows: { only: ['post_id', 'edited_at'] } },
  },
  message: {
    user_id: { shows: { but: ['latest_reaction', 'mentionees', 'link_keys'] } },
    latest_reaction: {
      isTheirs: (userId) => sql`t.latest_reaction ->> 'userId' = ${userId}`,
      shows: 'nothing',
      erases: { latest_reaction: "latest_reaction - 'userDisplayName'" },
    },
  },
  file: {
    file_id: {
      isTheirs: (userId) => sql`t.file_id in (
        select avatar_file_id from network_user where user_id = ${userId}
        union all select v.* from comment, lateral (${filesIn('jsonb_build_array(data, attachments)')}) v where user_id = ${userId}
        union all select v.* from post, lateral (${filesIn('data')}) v where posted_user_id = ${userId}
        union all select v.* from message, lateral (${filesIn('jsonb_build_array(data, file_id)')}) v where user_id = ${userId})`,
      shows: 'all',
    },
  },
  reaction: { user_id: { shows: 'all' } },
  signal: {
    subject_id: {
      isTheirs: (userId) => sql`(
        t.subject_type = 'comment' and t.subject_id in (select comment_id from comment where user_id = ${userId})
        or t.subject_type = 'post' and t.subject_id in (select post_id from post where posted_user_id = ${userId})
        or t.subject_type = 'message' and t.subject_id in (select message_id from message where user_id = ${userId}))`,
      shows: { but: ['sent_by', 'is_judged'] },
    },
  },
  flag: {
    user_id: {
      shows: { only: ['subject_type', 'reason', 'detail', 'created_at', 'cleared_at'] },
      erases: { reason: "'Others'", detail: 'null' },
    },
    subject_id: {
      isTheirs: (userId) => sql`t.subject_type = 'user' and t.subject_id = ${userId}`,
      shows: { only: ['subject_type', 'subject_id', 'reason', 'created_at', 'cleared_at'] },
      erases: { reason: "'Others'", detail: 'null' },
    },
  },
  stream: {
    user_id: {
      shows: { but: ['streamer_url'] },
      erases: { title: 'null', description: 'null', metadata: 'null', thumbnail_file_id: 'null' },
    },
  },
  room: {
    created_by: {
      shows: { but: ['participants', 'deleted_by'] },
      erases: { title: 'null', description: 'null', metadata: 'null', thumbnail_file_id: 'null' },
    },
    deleted_by: { shows: { only: ['room_id', 'deleted_at'] } },
    participants: {
      isTheirs: (userId) => sql`t.participants @> ${JSON.stringify([{ userId }])}::jsonb`,
      shows: { only: ['room_id', 'created_at'] },
    },
  },
  message_feed: { creator_id: { shows: 'all', erases: { name: 'null' } } },

  // Memberships.
  community: { user_id: { shows: { only: ['community_id', 'created_at'] } } },
  community_user: { user_id: { shows: 'all', erases: { not_member_reason: 'null' } } },
  join_request: {
    user_id: { shows: { but: ['responder_id'] } },
    responder_id: { shows: { only: ['join_request_id', 'status', 'responded_at'] } },
  },
  channel: { pinned_by: { shows: { only: ['channel_id', 'pinned_at'] } } },
  // Its name is derived from that of the user.
  channel_user: { user_id: { shows: 'all' } },
  ban: {
    user_id: { shows: { but: ['banned_by', 'lifted_by'] }, erases: { reason: 'null' } },
    banned_by: { shows: { only: ['ban_id', 'scope', 'created_at'] }, erases: { reason: 'null' } },
    lifted_by: { shows: { only: ['ban_id', 'scope', 'lifted_at'] } },
  },
  mute: {
    user_id: { shows: { but: ['muted_by', 'lifted_by'] }, erases: { reason: 'null' } },
    muted_by: { shows: { only: ['mute_id', 'created_at'] }, erases: { reason: 'null' } },
    lifted_by: { shows: { only: ['mute_id', 'lifted_at'] } },
  },
  author_treatment: {
    user_id: { shows: { but: ['set_by', 'ended_by'] }, erases: 'row' },
    set_by: { shows: { only: ['treatment_id', 'kind', 'created_at'] }, erases: { reason: 'null' } },
    ended_by: { shows: { only: ['treatment_id', 'kind', 'ended_at'] } },
  },
  statement: {
    user_id: { shows: { but: ['made_by'] }, erases: { words: 'null' } },
    made_by: { shows: { only: ['statement_id', 'measure', 'created_at'] }, erases: { words: 'null' } },
  },
  appeal: {
    user_id: { shows: { but: ['first_decider', 'decided_by'] }, erases: { words: 'null', answer: 'null' } },
    first_decider: { shows: 'nothing' },
    decided_by: { shows: { only: ['appeal_id', 'state', 'decided_at'] }, erases: { answer: 'null' } },
  },

  // What moderators did and noted.
  audit_text: {
    text: {
      isTheirs: (userId) => sql`t.audit_id in (select a.audit_id from audit a where ${isAbout(userId)})`,
      shows: { but: ['salt', 'erased_by'] },
      erases: 'words',
    },
    audit_id: {
      isTheirs: (userId) => sql`t.audit_id in (
        select a.audit_id from audit a where ${isBy(userId)} union all select a.audit_id from audit a where ${isOnTheirs(userId)})`,
      shows: 'nothing',
      erases: 'words',
    },
  },
  audit: {
    subject_id: {
      isTheirs: (userId) => sql`t.audit_id in (select a.audit_id from audit a where ${isAbout(userId)})`,
      shows: { but: ['actor_id', 'text_digest', 'nonce', 'mac'] },
    },
    actor_id: {
      isTheirs: (userId) => sql`t.audit_id in (select a.audit_id from audit a where ${isBy(userId)})`,
      shows: { only: ['audit_id', 'at', 'source', 'action'] },
    },
  },
  // Payloads contain their words and names too, among those of others: see events/erase-from-events.ts.
  event: {
    subject_id: {
      isTheirs: (userId) => sql`t.subject_type = 'user' and t.subject_id = ${userId}`,
      shows: { only: ['event_id', 'name', 'created_at'] },
    },
  },
  decision: {
    author_id: {
      shows: { but: ['decided_by', 'decided_by_name', 'client_key', 'bulk_id', 'text_digest'] },
      erases: { reason: 'null', text_digest: 'null' },
    },
    decided_by: {
      shows: { only: ['decision_id', 'subject_type', 'outcome', 'decided_at', 'source', 'decided_by_name'] },
      erases: { reason: 'null', decided_by_name: 'decided_by' },
    },
  },
  review_item: {
    author_id: {
      shows: {
        but: [
          ...['text_key', 'text_bands', 'claimed_by', 'claimed_until'],
          ...['escalated_by', 'escalated_by_name', 'escalation_note', 'handed_to'],
        ],
      },
      erases: { escalation_note: "case when escalation_note is not null then '' end", title: 'null', text: 'null' },
    },
    escalated_by: {
      shows: { only: ['kind', 'subject_type', 'escalated_by_name', 'escalated_at'] },
      erases: { escalation_note: "''", escalated_by_name: 'escalated_by' },
    },
    handed_to: { shows: { only: ['kind', 'subject_type', 'escalated_at'] } },
    claimed_by: { shows: { only: ['kind', 'subject_type', 'claimed_until'] } },
  },
  review_evidence: { author_id: { shows: 'all', erases: 'row' } },
  bulk: {
    made_by: {
      shows: { only: ['bulk_id', 'made_by_name', 'outcome', 'created_at'] },
      erases: { reason: 'null', sanction_reason: 'null', made_by_name: 'made_by' },
    },
  },
  bulk_sanction: { user_id: { shows: { only: ['state', 'failure'] } } },
  note: {
    about_user_id: { shows: { but: ['written_by'] }, erases: 'row' },
    written_by: { shows: { only: ['note_id', 'created_at'] }, erases: 'row' },
  },
  rejection_reason: { updated_by: { shows: { only: ['reason_id', 'updated_at'] } } },
  policy_version: { created_by: { shows: { only: ['policy_id', 'version', 'created_at'] } } },
  rule: { owner_id: { shows: { only: ['rule_id', 'created_at'] } } },
  rule_version: { created_by: { shows: { only: ['rule_id', 'version', 'created_at'] } } },
  service_target: { updated_by: { shows: { only: ['updated_at'] } } },
  list_rule: { created_by: { shows: { only: ['rule_id', 'created_at'] } } },
  network_settings: { updated_by: { shows: { only: ['updated_at'] } } },
  translation_settings: { updated_by: { shows: { only: ['updated_at'] } } },
  notification_settings: { updated_by: { shows: { only: ['updated_at'] } } },
  chat_room: { created_by: { shows: { only: ['room_id', 'created_at'] } } },
  webhook_endpoint: { created_by: { shows: { only: ['endpoint_id', 'created_at'] } } },
  classifier: { created_by: { shows: { only: ['classifier_id', 'created_at'] } } },

  // Their own settings at the desk, and their credentials.
  saved_view: {
    owner_id: { shows: 'all', erases: 'row' },
    // Colleagues' views of what the person wrote are named after them.
    filters: {
      isTheirs: (userId) => sql`t.filters ->> 'authorId' = ${userId}`,
      shows: 'nothing',
      erases: { name: "'Erased'" },
    },
  },
  named_queue_member: { user_id: { shows: 'all', erases: 'row' } },
  staff_preference: { user_id: { shows: 'all', erases: 'row' } },
  notification_choice: { user_id: { shows: 'all', erases: 'row' } },
  notification_person: { user_id: { shows: 'all', erases: 'row' } },
  push_subscription: { user_id: { shows: { but: ['p256dh', 'auth'] }, erases: 'row' } },
  notification: {
    user_id: { shows: { but: ['subject_id', 'key'] }, erases: 'row' },
    subject_id: {
      isTheirs: (userId) => sql`t.subject_type = 'user' and t.subject_id = ${userId}`,
      shows: { only: ['topic', 'created_at'] },
      erases: 'row',
    },
  },
  chat_post: {
    subject_id: {
      isTheirs: (userId) => sql`t.subject_type = 'user' and t.subject_id = ${userId}`,
      shows: { only: ['topic', 'created_at'] },
      erases: 'row',
    },
  },
  lease: { holder_id: { shows: { only: ['taken_at', 'expires_at'] }, erases: 'row' } },
  access_token: {
    user_id: { shows: { but: ['digest', 'created_by'] }, erases: 'row' },
    created_by: { shows: { only: ['token_id', 'kind', 'created_at'] } },
  },
  api_key: { created_by: { shows: { only: ['key_id', 'created_at'] } } },
  role: { updated_by: { shows: { only: ['role_id', 'updated_at'] } } },
  auth_token: { user_id: { shows: { but: ['digest'] }, erases: 'row' } },
  sign_in_tries: {
    key: {
      isTheirs: (userId) => sql`t.key in (
        select 'desk-account:' || lower(mine.email) from ${email(userId)} mine
        union all select 'desk-account:own-' || mine.id from ${account(userId)} mine union all select 'rest-account:' || lower(${userId}))`,
      shows: 'all',
      erases: 'row',
    },
  },
  staff_verification: {
    identifier: {
      isTheirs: (userId) => sql`(t.identifier in ${email(userId)} or t.value in ${account(userId)})`,
      shows: { but: ['value'] },
      erases: 'row',
    },
  },
  staff_session: {
    staff_account_id: {
      isTheirs: isOfAccount,
      shows: { but: ['token'] },
      erases: 'row',
    },
  },
  staff_login: {
    staff_account_id: {
      isTheirs: isOfAccount,
      shows: { but: ['password', 'access_token', 'refresh_token', 'id_token'] },
      erases: 'row',
    },
  },
  staff_second_factor: {
    staff_account_id: {
      isTheirs: isOfAccount,
      shows: { but: ['secret', 'backup_codes'] },
      erases: 'row',
    },
  },
  staff_passkey: {
    staff_account_id: {
      isTheirs: isOfAccount,
      shows: { but: ['public_key'] },
      erases: 'row',
    },
  },
  staff_link: {
    staff_account_id: {
      isTheirs: isOfAccount,
      shows: { but: ['digest', 'created_by'] },
      erases: 'row',
    },
    created_by: { shows: { only: ['created_at', 'expires_at'] } },
  },
  staff_account: { network_user_id: { shows: 'all', erases: 'row' } },
}

/** Whether a row `t` belongs to this person by this column. */
export function isOf(column: string, { isTheirs }: PersonalDataColumn, userId: string): Sql {
  return isTheirs?.(userId) ?? sql`t.${sql.raw(column)} = ${userId}`
}
