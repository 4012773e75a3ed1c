-- Whose picture an address is, when it has expired.
create index fb_users_picture on fb_users using hash (profile_pic);
