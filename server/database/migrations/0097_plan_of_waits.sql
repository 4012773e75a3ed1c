-- A function in SQL is planned at each call, which takes longer than its work when a person writes to a conversation that is
-- Done. One in PL/pgSQL keeps its plan. A generic one fits: the ids are at most some hundreds, and each is looked up by an
-- index. Without `enable_seqscan = off` a plan that is made while the tables are empty would read whole tables later.
create or replace function refresh_waits(ids text[], since timestamptz[]) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  with wanted as materialized (select * from unnest(ids, since) as wanted (id, since)),
  -- Waits that were not over at `since`. Their first messages may be removed already.
  carried as materialized (
    select wanted.id, w.* from wanted join waits w on w.primary_user_id = wanted.id and w.began_at <= wanted.since
      and (w.ended is null or w.ended <> 'removed' and w.ended_at >= wanted.since)
  ),
  bounds as materialized (
    select id, least(since, (select min(began_at) from carried where carried.id = wanted.id)) as start from wanted
  ),
  seen as materialized (
    select found.*, count(*) filter (where is_answer) over (
      partition by id order by at, not is_answer rows between unbounded preceding and 1 preceding
    ) as answers_before
    from (
      select b.id, m.id as number, true as is_stored, m.page_id, m.timestamp_fb as at, m.direction, m.author, m.is_historical,
        is_answer(m.direction, m.idempotency_key) as is_answer
      from bounds b join messages m on m.primary_user_id = b.id and m.timestamp_fb >= b.start
      union all
      select id, first_id, false, page_id, began_at, 'incoming', null, false, false from carried
    ) found
  ),
  answers as (
    select distinct on (id, answers_before) id, answers_before, at, author from seen where is_answer
    order by id, answers_before, at, number
  ),
  asked as (
    select s.id, s.answers_before, s.number, s.is_stored, s.page_id, s.at,
      case when is_answered then 'answered' when settled.at is not null then 'done' end as ended,
      case when is_answered then a.at else settled.at end as ended_at,
      case when is_answered then writer_of('outgoing', a.author) else settled.by end as ended_by
    from seen s
    left join answers a on a.id = s.id and a.answers_before = s.answers_before
    left join lateral (
      select closed.at, closed.by from (
        select r.closed_at as at, 'staff:' || r.closed_by as by from resolutions r
        where r.primary_user_id = s.id and is_settled(s.number, s.is_historical, s.at, r)
        union all
        select c.ended_at, c.ended_by from carried c
        where c.id = s.id and c.first_id = s.number and c.ended = 'done'
      ) closed order by closed.at limit 1
    ) settled on true
    cross join lateral (select coalesce(a.at <= coalesce(settled.at, 'infinity'), false) as is_answered) compared
    where s.direction = 'incoming'
  ),
  derived as materialized (
    select id, answers_before, ended, greatest(ended_at, case when ended_at is not null then min(at) end) as ended_at,
      ended_by, coalesce(min(number) filter (where is_stored), min(number)) as first_id, min(at) as began_at,
      (array_agg(page_id order by at, number))[1] as page_id
    from asked group by id, answers_before, ended, ended_at, ended_by
  ),
  replies as (
    select distinct on (d.first_id) d.first_id, s.at, s.author ->> 'title' as title
    from derived d join seen s on s.id = d.id and s.answers_before = d.answers_before
    where s.direction = 'outgoing' and not s.is_answer and s.at >= d.began_at
      and s.at <= coalesce(d.ended_at, 'infinity')
    order by d.first_id, s.at, s.number
  ),
  desired as materialized (
    select d.*, replies.at as automatic_at, replies.title as automatic_title
    from derived d left join replies using (first_id)
    where not exists (select from removed_pages r where r.page_id = d.page_id and d.began_at <= r.removed_at)
  ),
  outdated as (
    delete from waits w using bounds b
    where w.primary_user_id = b.id and w.began_at >= b.start and w.ended is distinct from 'removed'
      and w.first_id not in (select first_id from derived)
  ),
  changed as (
    update waits w set page_id = d.page_id, began_at = d.began_at, automatic_at = d.automatic_at,
      automatic_title = d.automatic_title, ended = d.ended, ended_at = d.ended_at, ended_by = d.ended_by
    from desired d
    where w.first_id = d.first_id and w.ended is distinct from 'removed'
      and (w.page_id, w.began_at, w.automatic_at, w.automatic_title, w.ended, w.ended_at, w.ended_by) is distinct from
        (d.page_id, d.began_at, d.automatic_at, d.automatic_title, d.ended, d.ended_at, d.ended_by)
  )
  insert into waits (first_id, primary_user_id, page_id, began_at, automatic_at, automatic_title, ended, ended_at, ended_by)
    select first_id, id, page_id, began_at, automatic_at, automatic_title, ended, ended_at, ended_by from desired
    on conflict (first_id) do nothing;
end $$;
