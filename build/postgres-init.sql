-- What a database needs before its first migration: the user that the application is. Its rights come with the migrations.
CREATE ROLE once LOGIN PASSWORD 'local';
