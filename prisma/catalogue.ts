import type { Pool } from 'pg'

/** Tables and indexes that only the migrations define. */
export interface Undeclared {
  tables: string[]
  indexes: string[]
}

/** What schema.prisma cannot say or leaves out, one line each, as PostgreSQL writes it. */
export async function readCatalogue(pool: Pool, { tables, indexes }: Undeclared): Promise<string[]> {
  const result = await pool.query<{ line: string }>({ text: CATALOGUE, values: [tables, indexes] })
  return result.rows.map(({ line }) => line.replaceAll(/\s+/g, ' ').trim()).sort()
}

/** The tables and indexes that these lines name. */
export function undeclaredIn(lines: string[]): Undeclared {
  const named = (kind: string) =>
    lines.flatMap((line) => (line.startsWith(`${kind} `) ? (line.split(' ')[1] ?? []) : []))
  return { tables: named('table'), indexes: named('index') }
}

const CATALOGUE = String.raw`
  with own_table as (
    select oid, relname, relkind, reloptions from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> '_prisma_migrations'
  ),
  undeclared as (
    select oid, relname from own_table where relname = any($1)
  )
  select format('extension %s', extname) as line
  from pg_extension where extname <> 'plpgsql'

  union all
  select format('table %s', relname) from undeclared

  union all
  select format('column %s.%s %s%s%s', u.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' end, ' default ' || pg_get_expr(d.adbin, d.adrelid))
  from undeclared u
  join pg_attribute a on a.attrelid = u.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum

  union all
  select format('generated %s.%s %s', t.relname, a.attname, pg_get_expr(d.adbin, d.adrelid))
  from own_table t
  join pg_attribute a on a.attrelid = t.oid and a.attgenerated <> ''
  join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum

  union all
  select format('collation %s.%s %s', t.relname, a.attname, c.collname)
  from own_table t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0
  join pg_type y on y.oid = a.atttypid and y.typcollation <> a.attcollation
  join pg_collation c on c.oid = a.attcollation

  union all
  select format('partitioned %s by %s', relname, pg_get_partkeydef(oid))
  from own_table where relkind = 'p'

  union all
  select format('storage %s %s', relname, array_to_string(reloptions, ', '))
  from own_table where reloptions is not null

  union all
  select format('constraint %s.%s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
  from own_table t
  join pg_constraint c on c.conrelid = t.oid
  where c.contype in ('c', 'x') or (c.contype in ('p', 'u', 'f') and t.oid in (select oid from undeclared))

  union all
  select format('index %s %s', i.relname, regexp_replace(pg_get_indexdef(x.indexrelid), 'CREATE (UNIQUE )?INDEX \S+ ON (?:ONLY )?public\.', '\1'))
  from own_table t
  join pg_index x on x.indrelid = t.oid
  join pg_class i on i.oid = x.indexrelid
  where not exists (select from pg_constraint c where c.conindid = i.oid)
    and (x.indpred is not null or x.indexprs is not null or x.indnatts > x.indnkeyatts
      or i.relname = any($2) or t.oid in (select oid from undeclared))

  union all
  select format('statistics %s %s', s.stxname, regexp_replace(pg_get_statisticsobjdef(s.oid), 'CREATE STATISTICS \S+ ', ''))
  from own_table t
  join pg_statistic_ext s on s.stxrelid = t.oid

  union all
  select format('trigger %s.%s %s', t.relname, g.tgname, regexp_replace(pg_get_triggerdef(g.oid), 'CREATE (CONSTRAINT )?TRIGGER \S+ ', '\1'))
  from own_table t
  join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal

  union all
  select format('function %s(%s) returns %s language %s %s md5 %s', p.proname, pg_get_function_identity_arguments(p.oid),
    pg_get_function_result(p.oid), l.lanname,
    case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end, md5(pg_get_functiondef(p.oid)))
  from pg_proc p
  join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a'
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')

  union all
  select format('view %s %s', v.relname, pg_get_viewdef(v.oid))
  from pg_class v
  where v.relnamespace = 'public'::regnamespace and v.relkind in ('v', 'm')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = v.oid and d.deptype = 'e')`
