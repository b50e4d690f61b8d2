-- A cell of CSV as a quoted field. One that begins with what a spreadsheet runs as a formula, or with an apostrophe, gets an apostrophe before it.
-- Where spreadsheets separate cells by semicolons, each begins a cell, whatever is quoted: so it is after each semicolon.
create or replace function csv_cell(value text) returns text language plpgsql immutable parallel safe as $$
begin
  return case when coalesce(value, '') = '' then '' else
    '"' || replace(regexp_replace(value, '(^|;)(?=[=+\-@\t\r\n＝＋－＠''])', '\1''', 'g'), '"', '""') || '"'
  end;
end $$;
