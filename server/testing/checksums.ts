import type pg from 'pg'

/** Of each table, how many rows it has and a sum over their digests, whatever their order. A partition counts with its table. */
export async function checksumsOf(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select format('public.%I', relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> '_prisma_migrations'
    union all select 'pgboss.job' where to_regclass('pgboss.job') is not null`)
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select concat(count(*), ' ', sum(('x' || left(md5(t::text), 16))::bit(64)::bigint)) as sum from ${name} t`,
    )
    sums[name] = rows[0].sum
  }
  return sums
}
