-- The highest rank among these roles; 0 without any.
create function role_rank(role_ids text[]) returns int language sql stable parallel safe as $$
  select case when role_ids = '{}' then 0 else (
    select coalesce(max(role.rank), 0) from role where role.role_id = any(role_ids) and not role.is_deleted)
  end
$$;
