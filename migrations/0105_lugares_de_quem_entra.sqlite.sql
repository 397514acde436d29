-- From which addresses somebody has entered, the last first, with blanks between them: the wrong tries of strangers do not hold
-- up who comes from one of these.
alter table usuario add column lugares text;
