-- What these roles grant across the network: a role of a community or channel grants nothing there, however it came to be held.
create function network_role_permissions(role_ids text[]) returns text[] language sql stable parallel safe as $$
  select case when role_ids = '{}' then '{}'::text[] else (
    select coalesce(array_agg(distinct permission order by permission), '{}')
    from role, unnest(role.permissions) as permission
    where role.role_id = any(role_ids) and role.scope = 'network' and not role.is_deleted)
  end
$$;

-- The highest rank among these roles across the network; 0 without any.
create function network_role_rank(role_ids text[]) returns int language sql stable parallel safe as $$
  select case when role_ids = '{}' then 0 else (
    select coalesce(max(role.rank), 0) from role
    where role.role_id = any(role_ids) and role.scope = 'network' and not role.is_deleted)
  end
$$;

-- Those of these roles that belong to one community or channel. A role that grants nothing and has no rank is only a label.
create function roles_of_spaces(role_ids text[]) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(role.role_id order by role.role_id), '{}') from role
  where role.role_id = any(role_ids) and role.scope <> 'network' and (role.permissions <> '{}' or role.rank > 0)
$$;

-- Takes every such role from those who hold it network-wide, one audit row for each person. It never said which space was meant, so
-- nobody gets it in one: who should moderate a space is given the role there. Whoever held a network role beside it keeps that.
with misplaced as (
  select u.user_id, u.roles, roles_of_spaces(u.roles) as taken from network_user u
  where u.roles && array(select role_id from role where scope <> 'network' and (permissions <> '{}' or rank > 0))
  order by u.user_id for update
), corrected as (
  update network_user u
  set roles = array(select held from unnest(u.roles) with ordinality as h(held, place) where held <> all(m.taken) order by place),
    updated_at = now()
  from misplaced m where u.user_id = m.user_id
  returning u.user_id, m.roles as before, u.roles as after
)
insert into audit (at, actor_kind, actor_id, door, action, subject_type, subject_id, before, after, request_id)
select now(), 'system', 'migration', 'cli', 'user.rolesChanged', 'user', user_id,
  jsonb_build_object('roles', before), jsonb_build_object('roles', after), '20261122000200_roles_in_their_place'
from corrected order by user_id;

-- A role of a space is never held without its space: no writer gives one network-wide.
create function refuse_roles_of_spaces() returns trigger language plpgsql as $$
declare
  misplaced text[] := roles_of_spaces(case tg_op when 'UPDATE' then array(select unnest(new.roles) except select unnest(old.roles)) else new.roles end);
begin
  if misplaced <> '{}' then
    raise exception 'a role of a community or channel needs its space: %', array_to_string(misplaced, ', ')
      using errcode = 'check_violation', constraint = 'network_user_roles_need_no_space', table = 'network_user';
  end if;
  return new;
end $$;
create trigger network_user_roles_inserted before insert on network_user
  for each row when (new.roles <> '{}') execute function refuse_roles_of_spaces();
create trigger network_user_roles_changed before update of roles on network_user
  for each row when (new.roles is distinct from old.roles and new.roles <> '{}') execute function refuse_roles_of_spaces();

-- Admin tokens still in use, by who issued them: they end when their issuer may no longer issue them.
create index access_token_created_by on access_token (created_by) where kind = 'admin' and revoked_at is null;
