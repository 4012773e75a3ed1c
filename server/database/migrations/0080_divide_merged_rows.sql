-- The undo of a merge gives each conversation its drafts, and its waits and resolutions of the reports.

create function mergeable_rows(conversation text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'drafts', (
      select coalesce(jsonb_agg(to_jsonb(d) - 'primary_user_id' order by staff_id), '[]') from drafts d
      where primary_user_id = conversation),
    'waits', (select coalesce(jsonb_agg(first_id order by first_id), '[]') from waits where primary_user_id = conversation),
    'open_waits', (
      select coalesce(jsonb_agg(jsonb_build_object('first_id', first_id, 'began_at', began_at) order by first_id), '[]')
      from waits where primary_user_id = conversation and ended is null),
    'resolutions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'settled_up_to', settled_up_to, 'settled_incoming_at', settled_incoming_at) order by id), '[]')
      from resolutions where primary_user_id = conversation))
$$;

-- Undoes what `merge_states` did to these rows at `since`. `kept_rows` and `other_rows` are the `mergeable_rows` of before,
-- `joined_rows` those of right after the merge. The messages are divided already, and the caller locks both conversations.
-- A draft that was changed since stays with `kept`.
create function divide_merged_rows(
  kept text, other text, kept_rows jsonb, other_rows jsonb, joined_rows jsonb, since timestamptz
) returns void language plpgsql as $$
declare
  unchanged text[];
  known bigint[];
  open_waits bigint[];
  first_changed timestamptz;
begin
  with taken as (
    delete from drafts d using jsonb_to_recordset(joined_rows -> 'drafts') as joined (staff_id text, version uuid)
    where d.primary_user_id = kept and d.staff_id = joined.staff_id and d.version = joined.version
    returning d.staff_id
  )
  select array_agg(staff_id) into unchanged from taken;
  insert into drafts (staff_id, primary_user_id, text, version, updated_at)
    select d.staff_id, owner.conversation, d.text, d.version, d.updated_at
    from (values (kept, kept_rows), (other, other_rows)) as owner (conversation, rows)
    cross join lateral jsonb_to_recordset(owner.rows -> 'drafts')
      as d (staff_id text, text text, version uuid, updated_at timestamptz)
    where d.staff_id = any(unchanged);

  update resolutions set primary_user_id = other
    where primary_user_id = kept
      and id in (select (r ->> 'id')::bigint from jsonb_array_elements(other_rows -> 'resolutions') r);
  with restored as (
    update resolutions r set settled_up_to = had.settled_up_to, settled_incoming_at = had.settled_incoming_at
    from jsonb_to_recordset((kept_rows -> 'resolutions') || (other_rows -> 'resolutions'))
      as had (id bigint, settled_up_to bigint, settled_incoming_at timestamptz)
    where r.id = had.id returning r.id
  )
  select coalesce(array_agg(id), '{}') into known from restored;
  -- A restored Done was recorded once more.
  delete from resolutions where primary_user_id in (kept, other) and closed_at <= since and id <> all(known);

  update waits w set primary_user_id = other
    where w.primary_user_id = kept and (
      w.first_id in (select wait::bigint from jsonb_array_elements_text(other_rows -> 'waits') wait)
      or exists (select from messages m where m.id = w.first_id and m.primary_user_id = other));
  -- What the merge ended.
  select array_agg((wait ->> 'first_id')::bigint), min((wait ->> 'began_at')::timestamptz) into open_waits, first_changed
    from jsonb_array_elements((kept_rows -> 'open_waits') || (other_rows -> 'open_waits')) wait;
  update waits set ended = null, ended_at = null, ended_by = null where first_id = any(open_waits) and ended = 'removed';
  -- From here on, waits were derived from the messages of both conversations.
  select least(first_changed, since, min(timestamp_fb)) into first_changed
    from messages where primary_user_id in (kept, other) and created_at >= since;
  perform refresh_waits(array[kept, other], array[first_changed, first_changed]);
end $$;
