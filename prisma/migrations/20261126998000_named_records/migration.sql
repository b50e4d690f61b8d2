-- The users of these ids or internal ids, and the files of these ids with the avatars of these users, as one JSON value: for what few rows
-- refer to. Each part of a statement is set up whether a row needs it or not; what a function in PL/pgSQL reads only where it is called.
create function named_records(user_ids text[], internal_ids text[], file_ids text[]) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    with person as materialized (
      select u.*, case when u.roles = '{}' then '{}' else network_role_permissions(u.roles) end as permissions
      from network_user u where u.user_id = any(user_ids) or u.internal_id = any(internal_ids))
    select json_build_object(
      'users', (select json_agg(person) from person),
      'files', (
        select json_agg(f) from file f where f.file_id = any(file_ids || array(select avatar_file_id from person)))));
end
$$;
