-- By statistics from a moment at which all open deltas were of one subject, PostgreSQL reads them through a bitmap. That marks no entries of the
-- index as dead, so that each count passes all deltas that were folded since the last vacuum. By these statistics, of many subjects in no
-- order, it reads the index itself. Later analyses leave them as they are.
insert into tally_delta (kind, subject_id, delta)
select kind, 'analysed ' || kind || n, 0
from unnest(enum_range(null::tally_kind)) kind cross join generate_series(1, 100) n
order by md5(kind || ' ' || n);

analyze tally_delta (kind, subject_id);

delete from tally_delta where delta = 0 and subject_id like 'analysed %';

alter table tally_delta alter column kind set statistics 0, alter column subject_id set statistics 0;
