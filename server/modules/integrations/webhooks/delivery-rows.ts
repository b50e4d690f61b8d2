import { sql } from '#server/core/db.ts'

/** The columns of a DeliveryRow. */
export const deliveryColumns = sql`d.delivery_id as "deliveryId", d.endpoint_id as "endpointId", w.url, d.event_seq::text as seq,
  e.created_at as "happenedAt", d.event_name as event, d.subject_type as "subjectType", d.subject_id as "subjectId", d.state, d.tries,
  d.created_at as "createdAt", d.finished_at as "finishedAt", t.started_at as "lastTryAt", t.status as "lastStatus", t.problem as "lastProblem"`

export const deliveryTables = sql`from delivery d
  join webhook_endpoint w on w.endpoint_id = d.endpoint_id
  left join event e on e.seq = d.event_seq
  left join delivery_try t on t.delivery_id = d.delivery_id and t.number = d.tries`
