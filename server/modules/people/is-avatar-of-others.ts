import { type Sql, sql } from '#server/core/db.ts'

/** Whether `file f` is an avatar of anything but this person, as an SQL condition: then it stays when they are erased. */
export function isAvatarOfOthers(userId: string): Sql {
  return sql`(exists (select from network_user o where o.avatar_file_id = f.file_id and o.user_id <> ${userId})
    or exists (select from community k where k.avatar_file_id = f.file_id)
    or exists (select from channel c where c.avatar_file_id = f.file_id)
    or exists (select from category g where g.avatar_file_id = f.file_id))`
}
