"""A list of abbreviations and long forms that developers use: one group of names per line, separated by commas.

A leading `=` marks inflected forms of one word that no rule of endings covers.
"""

from __future__ import annotations

from typing import Final

LINES: Final = """\
= index, indices, indexes
= vertex, vertices
= matrix, matrices
= appendix, appendices
= criterion, criteria
= schema, schemata, schemas
= datum, data
= medium, media
= analysis, analyses
= hypothesis, hypotheses
= basis, bases
= child, children
= person, people
= man, men
= woman, women
= mouse, mice
= foot, feet
= tooth, teeth
= leaf, leaves
= half, halves
= life, lives
= run, ran
= write, wrote, written
= read, reads
= send, sent
= build, built
= break, broke, broken
= keep, kept
= hold, held
= find, found
= lose, lost, loss
= sell, sold, sale
= buy, bought
= pay, paid, payment
= buy, purchase
= catch, caught
= choose, chose, chosen, choice
= drive, drove, driven
= fall, fell, fallen
= forget, forgot, forgotten
= freeze, froze, frozen
= get, got, gotten
= give, gave, given
= go, went, gone
= grow, grew, grown, growth
= hide, hid, hidden
= know, knew, known
= leave, left
= make, made
= mean, meant
= meet, met
= rise, rose, risen
= say, said
= see, saw, seen
= shrink, shrank, shrunk
= sleep, slept
= speak, spoke, spoken
= spend, spent
= split, splits
= steal, stole, stolen
= stick, stuck
= swap, swapped
= take, took, taken
= teach, taught
= tell, told
= think, thought
= throw, threw, thrown
= understand, understood
= win, won
= grey, gray
= cheque, check
= tyre, tire
= jewellery, jewelry
= aluminium, aluminum
= programme, program
= draught, draft
= plough, plow
= mould, mold
= sceptical, skeptical
= enquiry, inquiry
= kerb, curb
= storey, story
= pyjamas, pajamas
= artefact, artifact
= judgement, judgment
= acknowledgement, acknowledgment
= ageing, aging
= queueing, queuing
= fulfil, fulfill
db, dbs, database, datastore, datenbank
k8s, kubernetes, kube
i18n, internationalization, internationalisation, translation, translations, multilingual
l10n, localization, localisation, locale, translation
a11y, accessibility, accessible, wcag, screen reader, barrierefrei
o11y, observability, monitoring, telemetry
g11n, globalization
p13n, personalization
c14n, canonicalization
auth, authentication, login, log in, sign-in, sign in, signin, logon
authn, authentication
authz, authorization, authorisation, permission, permissions, access control
env, environment, environments, env var, environment variable
envs, environments
var, vars, variable, variables
config, configuration, configurations, settings, cfg, conf, preferences, options
cfg, config
repo, repository, repositories, codebase
repos, repositories
deps, dependencies, dependency, packages, requirements, libraries
dep, dependency
docs, documentation, document, documents, manual, readme
doc, document, documentation
app, application, apps
apps, applications
prod, production, live
dev, development, developer
devs, developers
stg, staging, stage
preprod, staging, pre-production
infra, infrastructure
perf, performance, speed, latency
ops, operations
devops, operations, platform team
sre, site reliability, on-call, reliability
msg, message
msgs, messages
mq, message queue, queue, broker
lib, library
libs, libraries
pkg, package
pkgs, packages
dir, directory, folder
dirs, directories, folders
param, parameter
params, parameters, arguments
arg, argument
args, arguments
impl, implementation
spec, specification, test
specs, specifications, tests
admin, administrator
admins, administrators
sysadmin, system administrator
tmp, temporary, temp
max, maximum, limit, upper bound
min, minimum, lower bound
avg, average, mean
num, number, count
qty, quantity
amt, amount
addr, address
acct, account
id, identifier
ids, identifiers
uid, user id
uuid, guid, identifier
ref, reference
refs, references
req, request, requirement
reqs, requirements, requests
res, response, result
resp, response
err, error
errs, errors
ex, exception
exc, exception
init, initialization, initialisation, initialize, setup
func, function
fn, function
proc, process, procedure
mgmt, management
mgr, manager
svc, service
svcs, services
srv, server, service
vm, virtual machine
vms, virtual machines
os, operating system
fs, file system, filesystem
fd, file descriptor
cmd, command
cli, command line, command-line, terminal
gui, graphical interface, user interface
ui, user interface, interface, frontend
ux, user experience, usability
fe, frontend, front end
be, backend, back end
api, interface, endpoint
apis, endpoints
sdk, client library, software development kit
ide, editor
pr, pull request, merge request
prs, pull requests
mr, merge request, pull request
ci, continuous integration, pipeline, build server
cd, continuous delivery, continuous deployment, deployment
cicd, pipeline, continuous integration
e2e, end-to-end, end to end, browser test, browser tests, playwright, cypress, selenium
tdd, test-driven, test first
qa, quality assurance, testing
uat, acceptance test, acceptance testing
poc, proof of concept, prototype
mvp, minimum viable product
rfc, proposal, request for comments
adr, architecture decision, decision record, decision
rca, root cause, postmortem, post-mortem
sla, service level, agreement, uptime
slo, service level, error budget, target
slos, service level, error budget
sli, service level, indicator
kpi, metric, indicator
kpis, metrics
mttr, time to recover, time to repair
rto, recovery time
rpo, recovery point, data loss
dr, disaster recovery
ha, high availability, failover, redundancy
lb, load balancer, balancer
cdn, content delivery, edge cache
dns, name resolution, nameserver, domain
ip, address
vpn, tunnel, wireguard
vpc, private network
tls, ssl, https, certificate, cert
ssl, tls, certificate
https, tls, certificate
cert, certificate, certificates, zertifikat
certs, certificates, zertifikate
ca, certificate authority
pki, certificates
mtls, mutual tls, client certificate
sso, single sign-on, single sign on, openid, saml, oauth, oidc
oidc, openid, openid connect, single sign-on
saml, single sign-on
oauth, openid, authorization, access token
jwt, token, json web token, bearer
2fa, two-factor, two factor, second factor, mfa, totp, one-time code
mfa, multi-factor, multi factor, two-factor, second factor, 2fa
totp, one-time password, two-factor
otp, one-time password, one-time code
pw, password
pwd, password
passwd, password
pin, passcode
rbac, role-based, roles, permissions
acl, access control, permissions
iam, identity, roles, permissions
pii, personal data, personal information, personally identifiable, personenbezogen
gdpr, data protection, privacy, dsgvo, datenschutz
dsgvo, gdpr, data protection, datenschutz
ccpa, privacy, data protection
hipaa, health data, patient data
pci, card data, payment card
xss, cross-site scripting
csrf, cross-site request forgery
sqli, sql injection
cors, cross-origin
csp, content security policy
dos, denial of service
ddos, denial of service, flood
cve, vulnerability, security hole
cves, vulnerabilities
sbom, bill of materials, dependencies
waf, web application firewall, firewall
fw, firmware, firewall
hw, hardware
sw, software
ssd, disk
hdd, disk
ram, memory
cpu, processor
gpu, graphics card
iot, devices, sensors
rfid, tag, chip, badge
nfc, contactless
ble, bluetooth
gps, location, position
ocr, text recognition
ml, machine learning
ai, machine learning, artificial intelligence
llm, language model, language models
llms, language models
nlp, language processing
rag, retrieval
etl, import, data pipeline
olap, analytics
dwh, data warehouse, warehouse
bi, reporting, business intelligence
kv, key-value, key value
lru, least recently used, eviction
ttl, time to live, expiry, expiration, lifetime
fifo, first in, queue
dlq, dead letter, dead-letter, poison
idempotent, idempotency, exactly once, at-least-once, duplicate
crud, create, update
orm, object-relational, models
sql, query, queries
nosql, document store
pg, postgres, postgresql
psql, postgres, postgresql
postgres, postgresql
postgresql, postgres
mongo, mongodb
es, elasticsearch
elastic, elasticsearch
opensearch, elasticsearch
rmq, rabbitmq
js, javascript
ts, typescript
py, python
rb, ruby
rs, rust
golang, go
cpp, c++
csharp, c#
md, markdown
yml, yaml
regex, regexp, regular expression, pattern
regexes, regular expressions, patterns
rx, regular expression
ws, websocket
wss, websocket
sse, server-sent events, event stream
rpc, remote procedure, remote call
grpc, remote procedure, protobuf
proto, protobuf, protocol
http, web
url, link, address
urls, links, addresses
uri, link
qr, barcode
csv, spreadsheet, comma-separated
xls, spreadsheet, excel
img, image
imgs, images
pic, picture, image
pics, pictures
vid, video
btn, button
nav, navigation, menu
css, styling, styles, stylesheet
dom, document object
ssr, server-side rendering, server rendering
spa, single page, single-page
pwa, progressive web
seo, search engine, ranking
ga, analytics
utm, campaign
b2b, business customers
b2c, consumers
crm, customer relationship, customers
erp, accounting
pos, point of sale, till, checkout
vat, value added tax, sales tax, tax, mehrwertsteuer, umsatzsteuer
mwst, mehrwertsteuer, vat, tax
psp, payment provider, payment service provider
iban, bank account
sepa, direct debit, bank transfer
hr, human resources, personnel
pto, vacation, leave, time off, holiday
ooo, out of office, vacation, away
wfh, remote work, home office
eod, end of day
eta, arrival, estimated time
tz, timezone, time zone
utc, gmt, timezone
dst, daylight saving, summer time, clock change
eol, end of life, end of support, deprecated, line ending
eos, end of support
wip, work in progress, draft
tbd, to be decided, open question
todo, task, open item
faq, questions
fyi, note
asap, urgent
tl, team lead
pm, product manager, project manager
po, product owner
cto, head of engineering
lan, local network
wifi, wi-fi, wireless, wlan
wlan, wi-fi, wifi, wireless
sms, text message
smtp, mail server, email
mail, email, e-mail
email, mail, e-mail
dkim, mail signature, spf, dmarc
fax, telefax
tel, phone, telephone
"""
