"""A list of synonyms that developers use: one group of names per line, separated by commas."""

from __future__ import annotations

from typing import Final

LINES: Final = """\
outage, downtime, blackout, unavailable, incident, down, ausfall
postmortem, post-mortem, incident review, review, retrospective, lessons learned, root cause
incident, outage, disruption, stoerung, störung
rollback, roll back, revert, undo, backout, back out, downgrade
downgrade, rollback, revert
rollout, roll out, deployment, release, ship
deploy, deployment, release, rollout, ship, publish, auslieferung
release, deployment, version, publish, ship
freeze, code freeze, no releases, lock, moratorium
throttling, throttle, rate limit, rate limiting, rate limits, 429, quota
rate limit, throttling, quota, 429
quota, limit, allowance
secret, secrets, credential, credentials, password, passwords, api key, token
credential, credentials, secret, secrets, password, login
password, passphrase, passwort, kennwort
token, api key, credential, key
rotate, rotation, renew, renewal, replace
renew, renewal, extend, extension, rotate
encrypt, encryption, cipher, verschluesselung, verschlüsselung
flaky, intermittent, intermittently, unstable, nondeterministic, random failure, sporadic, now and then
nondeterministic, flaky, random, intermittently
remove, delete, purge, drop, erase, prune, clean up, cleanup, wipe, discard
delete, remove, purge, erase, drop, löschen, loeschen
purge, delete, cleanup, garbage
cleanup, clean up, purge, prune, sweep, tidy, housekeeping, garbage collection
garbage, cleanup, purge, sweep
prune, trim, cut, shorten
expired, stale, outdated, lapsed, void, obsolete, out of date, invalid, abgelaufen
stale, outdated, old, expired
expiry, expiration, ttl, timeout, eviction, lifetime, lapse
eviction, expiry, evict, maxmemory
deprecated, obsolete, legacy, end of life, retired, sunset
legacy, old, deprecated
refund, refunds, money back, chargeback, reimbursement, pay back, repayment, rückerstattung, 返金
chargeback, dispute, refund
dispute, chargeback, complaint
invoice, bill, billing, receipt, rechnung
billing, invoice, bill
receipt, invoice, bill, beleg, quittung
payment, pay, checkout, charge, transaction, zahlung
checkout, payment, basket, cart
cart, basket, checkout
price, cost, fee, rate, tariff, charge, preis
fee, charge, price, cost, commission, gebühr, gebuehr
discount, rebate, voucher, coupon, reduction, rabatt
voucher, coupon, gift card, gutschein
subscription, plan, membership, abo
customer, client, user, guest, kunde
user, account, member, person
supplier, vendor, provider, manufacturer, dealer, lieferant
vendor, supplier, provider, third party
salary, wage, pay, payroll
tax, vat, levy, duty, steuer
bookkeeping, accounting, ledger
ledger, journal, accounting, bookings
scheduled, schedule, cron, timer, periodic, nightly, recurring, timetable
cron, scheduled, timer, nightly job, periodic
job, task, worker, batch
batch, bulk, nightly
timer, cron, clock, scheduled
worker, background job, consumer, daemon
daemon, service, background process
queue, backlog, broker, warteschlange
consumer, subscriber, worker, listener
producer, publisher, sender
event, message, notification
webhook, callback, notification, push
callback, webhook, hook
notification, alert, push, message, reminder, benachrichtigung
alert, alarm, pager, notification, page, warning
alerting, alarm, pager, monitoring
pager, on-call, alert, duty, rings
on-call, oncall, duty, pager, rota, bereitschaft
escalation, pager, on-call, second line
dashboard, grafana, chart, panel, overview
grafana, dashboard, dashboards, panels
prometheus, metrics, monitoring
metric, measurement, counter, gauge, number
tracing, trace, spans, jaeger, opentelemetry
jaeger, tracing, trace, spans
logging, logs, log, syslog, protokoll
log, logs, journal, record
monitoring, alerting, dashboard, observability, überwachung
dark mode, night theme, dark theme, night mode, dark
light mode, day theme, light theme
theme, skin, colours, colors, palette
font, typeface, lettering, typography, schrift
typeface, font, lettering
color, colour, palette, farbe
icon, symbol, pictogram
layout, arrangement, grid, structure
responsive, mobile, small screens, grid, breakpoints
design, styling, look, style
styling, css, style, design
popup, pop-up, modal, dialog, overlay
modal, dialog, popup
dropdown, select, menu
autocomplete, typeahead, lookup, suggestions, completion, suggest
search, lookup, find, query, suche
lookup, search, find
filter, narrow, search
pagination, paging, pages, next page, cursor
sort, order, ranking
crash, panic, segfault, abort, core dump, die, dies, absturz
crash loop, panic, restart, watchdog, reboot
hang, hangs, stuck, frozen, deadlock, blocked, unresponsive
stuck, hang, blocked, poison, dead letter
deadlock, lock, stuck, blocked
race condition, race, concurrency, data race, double
concurrency, parallel, threads, simultaneous, at the same time
parallel, concurrent, at the same time
thread, goroutine, task, worker
bug, defect, error, fault, issue, mistake, fehler
error, failure, fault, fehler, exception
failure, error, outage, breaks
exception, error, traceback, stack trace
stack trace, traceback, backtrace
debug, debugging, troubleshoot, diagnose, investigate
troubleshooting, debugging, diagnosis, fehlersuche
fix, repair, patch, solve, mend, correct, reparatur
workaround, hack, stopgap, temporary fix
hotfix, patch, emergency fix
patch, fix, update
upgrade, update, bump, migrate, newer version
update, upgrade, bump, refresh
bump, upgrade, update
migration, migrate, move, switch, schema change, upgrade
port, move, migrate
port conflict, mapping clash, address already in use, already in use, bind failed
conflict, clash, collision, contention, merge conflict
clash, conflict, collision
duplicate, double, doubled, twice, copy, dedupe
dedupe, deduplicate, duplicate, distinct
overbooking, double booking, sold twice, overbook
double booking, overbooking, sold twice, overlap
reservation, booking, hold, reserve, buchung, reservierung
booking, reservation, appointment, buchung
appointment, booking, slot, termin
cancel, cancellation, storno, call off, abort, withdraw, stornierung
waitlist, waiting list, queue
availability, uptime, free, vacancy
cache, caching, redis, memcached, cached, zwischenspeicher
caching, cache, redis
redis, cache, in-memory
session, login, cookie, sitzung
cookie, session
logout, log out, logged out, sign out, session
logged out, session, sign-in, sign in
signup, sign up, register, registration, enrol, onboarding
registration, sign up, signup, anmeldung
onboarding, welcome, first steps, new hire, einarbeitung
backup, snapshot, dump, restore, copy, sicherung, datensicherung
snapshot, backup, dump
restore, recovery, recover, bring back, wiederherstellung
recovery, restore, failover
disaster recovery, restore, snapshot, backup, failover
business continuity, disaster recovery, restore drill
failover, standby, replica, switch over
replica, follower, secondary, standby, read replica, copy
replication, replica, sync, lag
lag, delay, behind, latency
eventual consistency, replica, lag, stale read, behind
primary, leader, master
latency, delay, slow, response time, lag
slow, latency, performance, sluggish, langsam
performance, speed, fast, slow, latency
optimization, tuning, speed up, faster
bottleneck, limit, contention, slow
scaling, scale, autoscaling, capacity, replicas
capacity, limit, size, throughput
throughput, rate, per second
load, traffic, pressure
stress test, load test, soak
benchmark, measurement, timing
verification, verify, check, drill, validate, test, prüfung
validation, validate, check, verify, rules
check, test, verify, inspect
test, tests, spec, testing, check
mock, stub, fake, double, dummy, fixture
stub, mock, fake
fixture, test data, sample, seed
seed, test data, fixture
coverage, tested lines
snapshot test, golden, reference picture
review, approval, code review, inspect, approve
code review, pull request, approval, reviewers
reviewer, approver, code owner
code owners, codeowners, reviewers, approvals, maintainers
approval, sign-off, consent, permission, genehmigung, freigabe
branch, trunk, main, fork
merge, rebase, squash, join
commit, change, changeset
changelog, release notes, history, what changed
release notes, changelog, what changed
monorepo, single repository, workspace
source tree, repository layout, layout, directory structure
structure, layout, organisation, organization
architecture, design, structure, aufbau
module, package, component
component, module, part, widget
microservice, service, services
endpoint, route, path, url, api
route, path, endpoint
gateway, proxy, ingress, edge, router
ingress, gateway, proxy, router
proxy, gateway, nginx, reverse proxy
nginx, proxy, web server
load balancer, proxy, haproxy
firewall, rules, filter, ports
network, connectivity, connection, netzwerk
connection, socket, link, verbindung
connection pool, pool, pgbouncer, too many clients
sockets exhausted, connection pool, too many clients, pool
exhausted, full, out of, used up, depleted
disk full, no space, storage overflow, out of space
storage, disk, volume, bucket, speicher
volume, disk, mount
bucket, object storage, s3, blob
file, document, datei
upload, attach, attachment, send file
attachment, upload, file
download, export, fetch
export, download, dump
import, ingest, load, upload
spreadsheet, excel, csv, table, tabelle
table, relation, spreadsheet, tabelle
column, field, spalte
field, column, attribute
row, record, entry, tuple
record, row, entry
schema, structure, model, tables
model, schema, class
foreign key, reference, constraint
constraint, rule, check, unique
unique, distinct, duplicate
index, trigram, lookup
vacuum, autovacuum, bloat, dead tuples
bloat, vacuum, dead tuples, growing, size
transaction, commit, atomic
rollback transaction, abort
lock, mutex, hold, block
mutex, lock
query, select, sql, search
orm, models, queries
anonymize, anonymise, mask, scrub, redact, pseudonym, pseudonymize
masking, mask, anonymize, scrub, redact
scrub, mask, anonymize, clean
redact, mask, black out, hide
privacy, data protection, personal data, datenschutz
retention, keep, how long, delete after, aufbewahrung
audit, review, inspection, check, prüfung
compliance, audit, rules, regulation, license
licence, license, licensing, lizenz
open source, licence, license, agpl, mit
copyright, licence, rights
contract, agreement, vertrag
vulnerability, cve, security hole, exploit
security, safety, hardening, sicherheit
permission, permissions, role, rights, access, berechtigung
role, permission, group, rolle
access, permission, login, entry, zugang
feature flag, feature toggle, flag, toggle, switch
toggle, flag, switch, feature flag
flag, toggle, switch, option
experiment, a/b test, variant, split
canary, gradual rollout, staged, split
blue-green, canary, switch over
environment variables, env vars, env, configuration
precedence, order, layers, priority, overrides
override, precedence, replace
default, fallback, standard
fallback, default, backup plan
timeout, time out, deadline, expiry
deadline, due date, cutoff, frist, termin
retry, retries, redelivery, try again, backoff, redeliver
backoff, retry, wait longer
redelivery, retry, at-least-once, again
circuit breaker, breaker, fail fast
health check, healthcheck, liveness, readiness, probe
heartbeat, ping, alive, health check
watchdog, restart, reboot
restart, reboot, bounce, neustart
reboot, restart
shutdown, stop, drain, turn off
drain, cordon, evict, shutdown
startup, start, boot, launch
install, setup, installation, einrichtung
setup, install, configuration, einrichtung
container, docker, pod, image
docker, container, compose, image
pod, container
cluster, kubernetes, nodes
node, machine, server, host
host, machine, server
server, host, machine, backend
cloud, aws, azure, gcp, provider
terraform, infrastructure as code, opentofu
helm, chart, kubernetes
serverless, lambda, functions
pipeline, build, ci, workflow
build, compile, bundle, make
compile, build
bundle, package, build
bundle size, bundle, kilobytes, weigh
minify, shrink, compress
compress, compression, gzip, zip, shrink
linter, lint, eslint, ruff, style check
formatter, format, prettier, black
typing, types, mypy, type hints
dependency update, bump, renovate, dependabot
dependabot, renovate, bump, dependencies
renovate, dependabot, bump
pin, lock, fixed version
lockfile, lock, pinned
encoding, charset, utf-8, mojibake, 文字化け
mojibake, garbled, encoding, 文字化け
garbled, mojibake, broken characters
translation, language, locale, strings, übersetzung
language, locale, tongue, sprache
locale, language, translation
plural, plurals, quantities
currency, money, euro, exchange rate
rounding, round, cents, decimals
decimal, comma, precision
timezone, time zone, utc, dst, zeitzone
date, day, datum
time, clock, zeit
clock, time, now
today, now, clock, date
calendar, ical, schedule, dates, kalender
holiday, vacation, time off, leave, urlaub, ferien
vacation, holiday, time off, urlaub
meeting, standup, call, appointment, besprechung
standup, daily meeting
retrospective, postmortem, review
roadmap, plan, milestones
milestone, goal, deadline
estimate, effort, forecast
budget, money, limit, cost
ticket, issue, task
issue, ticket, problem, bug
backlog, queue, open tickets
customer support, support, helpdesk, tickets
complaint, grievance, beschwerde
feedback, opinion, comments
survey, questionnaire, poll
form, input, formular
input, entry, field
keyboard shortcut, shortcut, hotkey, key binding
mobile, phone, smartphone, handset
phone, mobile, telephone, handy
tablet, ipad, device
ipad, tablet
device, hardware, machine, gerät
kiosk, terminal, tablet
printer, print, label, drucker
scanner, reader, barcode
barcode, qr, scanner, code
turnstile, gate, gates, barrier, drehkreuz
gate, barrier, door
sensor, probe, gauge, meter
gauge, meter, sensor
calibration, adjust, offset
firmware, embedded, controller, flash
embedded, firmware, controller
battery, power, akku
power cut, outage, power failure, ups
cable, wire, kabel
temperature, heat, cooling
offline, without network, no network, disconnected, no connection
online, connected, network
real time, live, realtime, websocket
live, production, real time
stream, feed, websocket
websocket, socket, live
polling, poll, interval
sync, synchronize, replicate, abgleich
map, chart, plan, karte
location, place, position, ort
address, location, adresse
boat, vessel, ship, yacht, schiff
vessel, boat, ship
car, vehicle, auto
vehicle, car, truck, fleet
truck, lorry, vehicle
warehouse, depot, stock, lager
stock, inventory, warehouse, bestand
inventory, stock, bestand
order, purchase, bestellung
shipment, delivery, parcel, shipping, versand, lieferung
delivery, shipment, shipping, lieferung
parcel, package, shipment, paket
return, send back, retoure
doctor, physician, arzt
patient, case, sick person
hospital, clinic, krankenhaus
medicine, drug, medication
school, class, course
pupil, student, learner
teacher, instructor, lehrer
lesson, course, class
exam, test, quiz
library loan, lending, borrow
borrow, lend, loan, ausleihe
ticket sale, box office, admission
seat, place, sitz
concert, show, performance
recipe, dish, rezept
ingredient, component, zutat
farm, field, crop
weather, forecast, storm, wetter
storm, gale, gusts, sturm
flood, high water, hochwasser
insurance, cover, versicherung
accident, crash, unfall
damage, broken, schaden
lost property, lost and found
neighbour, neighbor
staff, personnel, employees, team, personal
employee, staff, worker, mitarbeiter
shift, rota, roster, schicht
roster, shift, rota, duty plan
boss, manager, head, chef
training, course, workshop, schulung
manual, handbook, guide, anleitung, handbuch
guide, manual, how-to, anleitung
runbook, playbook, steps, procedure, checklist
playbook, runbook, procedure
checklist, steps, list
procedure, steps, process, ablauf
guideline, rule, convention, richtlinie
convention, rule, style, guideline
rule, convention, policy, regel
policy, rule, guideline
decision, choice, why, entscheidung
selection, choice, choose, auswahl
reason, why, rationale, grund
idea, proposal, suggestion
proposal, offer, suggestion, angebot
offer, quote, proposal, angebot
selenium, browser tests, playwright, browser grid, webdriver
playwright, browser tests, end-to-end
federation, single sign-on, openid, partner
multilingual, translations, locales, languages
glare, brightness, night, sunlight
brightness, light, dim
noise, loud, sound
sound, audio, volume
image, picture, photo, bild
photo, picture, image
video, film, clip
smtp, mail, email
newsletter, mailing, bulk mail
spam, junk, unwanted mail
bounce, undeliverable, returned mail
template, boilerplate, pattern, vorlage
snippet, example, sample
example, sample, demo
demo, sample, showcase
sandbox, test account, playground
staging, test environment, rehearsal, preproduction
rehearsal, drill, dry run, staging
dry run, rehearsal, simulate, preview
preview, draft, dry run
draft, wip, sketch, entwurf
archive, store away, history, archiv
history, past, log, verlauf
version, release, revision
versioning, versions, compatibility
backward compatible, compatibility, breaking change
breaking change, incompatible, major version
envelope, wrapper, format
wrapper, envelope, shell
payload, body, content
header, heading, title
json, payload, document
xml, markup
parser, parse, reader
serialize, encode, marshal
deserialize, decode, parse
hash, checksum, digest
checksum, hash, digest, prüfsumme
signature, signed, sign, unterschrift
verify, check, validate
pattern, regex, template
"""
