-- Languages that members of resellers chose for their mails. Who chose none gets that of an owner, or English.
-- owner: alerts
create table mail_languages (
  reseller_id bigint not null references resellers,
  user_id bigint not null,
  language text not null check (language in ('en', 'ms', 'id', 'zh', 'ta')),
  updated_at timestamptz not null default now(),
  primary key (reseller_id, user_id)
);
