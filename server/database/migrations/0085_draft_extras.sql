-- What goes with the text of a draft: quick replies or buttons, and what a summary in it was made from.
alter table drafts add column extras jsonb;

-- As in 0027. Of two drafts of one person, the extras of the kept one come first.
create or replace function merge_drafts(kept text, other text) returns void language sql as $$
  update drafts d set
    text = case when o.text = d.text then d.text else d.text || E'\n\n' || o.text end,
    extras = nullif(coalesce(o.extras, '{}') || coalesce(d.extras, '{}'), '{}'),
    version = gen_random_uuid(), updated_at = greatest(d.updated_at, o.updated_at)
  from drafts o
  where d.primary_user_id = kept and o.primary_user_id = other and o.staff_id = d.staff_id
    and (o.text <> d.text or o.extras is distinct from d.extras);
  delete from drafts o using drafts d
  where o.primary_user_id = other and d.primary_user_id = kept and d.staff_id = o.staff_id;
  update drafts set primary_user_id = kept where primary_user_id = other;
$$;

-- As in 0080, with the extras of drafts.
create or replace function divide_merged_rows(
  kept text, other text, kept_rows jsonb, other_rows jsonb, joined_rows jsonb, since timestamptz
) returns void language plpgsql as $$
declare
  unchanged text[];
  known bigint[];
  first_changed timestamptz;
begin
  with taken as (
    delete from drafts d using jsonb_to_recordset(joined_rows -> 'drafts') as joined (staff_id text, version uuid)
    where d.primary_user_id = kept and d.staff_id = joined.staff_id and d.version = joined.version
    returning d.staff_id
  )
  select array_agg(staff_id) into unchanged from taken;
  insert into drafts (staff_id, primary_user_id, text, extras, version, updated_at)
    select d.staff_id, owner.conversation, d.text, d.extras, d.version, d.updated_at
    from (values (kept, kept_rows), (other, other_rows)) as owner (conversation, rows)
    cross join lateral jsonb_to_recordset(owner.rows -> 'drafts')
      as d (staff_id text, text text, extras jsonb, version uuid, updated_at timestamptz)
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

  -- Waits are derived from messages, for both conversations together since the merge: those from before return as they
  -- were, and those since are derived again.
  select least(since, min(timestamp_fb)) into first_changed
    from messages where primary_user_id in (kept, other) and created_at >= since;
  delete from waits where primary_user_id in (kept, other) and began_at < first_changed;
  insert into waits
    select w.* from (values (kept, kept_rows), (other, other_rows)) as owner (conversation, rows)
    cross join lateral jsonb_populate_recordset(null::waits, owner.rows -> 'waits') w
    on conflict (first_id) do update set primary_user_id = excluded.primary_user_id, page_id = excluded.page_id,
      began_at = excluded.began_at, automatic_at = excluded.automatic_at, automatic_title = excluded.automatic_title,
      ended = excluded.ended, ended_at = excluded.ended_at, ended_by = excluded.ended_by;
  update waits w set primary_user_id = other from messages m
    where w.primary_user_id = kept and m.id = w.first_id and m.primary_user_id = other;
  perform refresh_waits(array[kept, other], array[first_changed, first_changed]);
end $$;
