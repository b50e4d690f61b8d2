import { sql } from '#server/core/db.ts'

/** The columns of a DeliveryRow. */
export const deliveryColumns = sql`d.delivery_id, d.endpoint_id, w.url, d.event_seq::text as seq,
  e.created_at as happened_at, d.event_name as event, d.subject_type, d.subject_id, d.state, d.tries,
  d.created_at, d.finished_at, t.started_at as last_try_at, t.status as last_status, t.problem as last_problem`

export const deliveryTables = sql`from delivery d
  join webhook_endpoint w on w.endpoint_id = d.endpoint_id
  left join event e on e.seq = d.event_seq
  left join delivery_try t on t.delivery_id = d.delivery_id and t.number = d.tries`
