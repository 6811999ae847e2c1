"""Words near a term that a memory does not have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.recall.clinic import NOTES, QUESTIONS
from zsmem_tui.core.recall.near_words import (
    MOST_TERMS,
    Near,
    NearWord,
    Vocabulary,
    in_turn,
    joined,
    near_words,
    related_lines,
    sentence,
)
from zsmem_tui.core.recall.word_forms import distance, stem, words_of


def memory(*texts: str) -> Vocabulary:
    made = Vocabulary()
    for text in texts:
        made.add(text)
    return made


def first(term: str, *texts: str) -> tuple[str, str]:
    """The first word near a term, and why it is."""
    found = in_turn(near_words(term.split(), memory(*texts)))
    return (found[0].word, found[0].why) if found else ("", "")


@pytest.mark.parametrize(
    ("term", "text", "word"),
    [
        ("migrating", "The migration of columns", "migration"),
        ("retries", "retry the job", "retry"),
        ("vertices", "one vertex", "vertex"),
        ("Verträge", "der Vertrag", "vertrag"),
        ("Gebühren", "Hafengebuehren", "hafengebuehren"),
        ("kündigen", "es wurde gekuendigt", "gekuendigt"),
        ("Gerätetausch", "ein Geraet", "geraet"),
        ("colourful", "colorful", "colorful"),
        ("catalogue", "catalog", "catalog"),
        ("cancelled", "it was canceled", "canceled"),
        ("berthprice", "the price of it", "price"),
        ("ｄｋｉｍ", "DKIM fails", "dkim"),
        ("buchen", "wurde gebucht", "gebucht"),
    ],
)
def test_other_forms_of_a_word_are_found(term: str, text: str, word: str) -> None:
    assert first(term, text) == (word, "form")


@pytest.mark.parametrize(
    ("term", "text", "word"),
    [
        ("kuberentes", "kubernetes", "kubernetes"),
        ("ubernetes", "kubernetes", "kubernetes"),
        ("uberntees", "kubernetes", "kubernetes"),
        ("kqbernexes", "kubernetes", "kubernetes"),
        ("kisok", "the kiosk", "kiosk"),
        ("accessability", "accessibility", "accessibility"),
        ("provder", "provider", "provider"),
        ("berht", "two berths", "berths"),
    ],
)
def test_misspelled_words_are_found(term: str, text: str, word: str) -> None:
    found, why = first(term, text)
    assert found == word
    assert why in ("spelling", "form")


def test_what_is_a_word_is_spelled_right() -> None:
    assert first("throttling", "thrattling, a rate limit for guests") == ("rate limit", "synonym")


def test_two_wrong_letters_in_a_short_word_are_too_many() -> None:
    assert near_words(["kxsxk"], memory("kiosk")) == []


@pytest.mark.parametrize(
    ("term", "text", "word"),
    [
        ("k8s", "the kubernetes nodes", "kubernetes"),
        ("kubernetes", "on k8s", "k8s"),
        ("pull request", "open an MR", "mr"),
        ("DLQ", "the dead letter queue", "dead letter"),
        ("throttling", "a rate limit for guests", "rate limit"),
        ("outages", "the blackout in May", "blackout"),
    ],
)
def test_other_names_of_a_thing_are_found(term: str, text: str, word: str) -> None:
    assert (word, "synonym") in [(each.word, each.why) for each in in_turn(near_words(term.split(), memory(text)))]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("password", "it took a minute"),
        ("docker", "the drawer contains tea"),
        ("timeout", "the summer term"),
        ("login", "a signal from the gate"),
        ("redis", "a tree in memory of Ann"),
        ("queue", "the first in line"),
        ("fire", "the first of May"),
        ("sprint", "the point of it"),
        ("lion", "lint the code"),
        ("helm", "it helps"),
        ("deliberately", "tell Kim"),
        ("whitespace", "the train passes"),
        ("tablets", "a csv of relations"),
        ("kubernetis", "chars of a line"),
        ("pipline", "an inline text"),
        ("context", "they are connected"),
        ("train", "it rains a lot"),
    ],
)
def test_words_that_are_nothing_like_a_term_are_not_named(term: str, text: str) -> None:
    """Short stems are those of many words, and two letters of a short word make another."""
    assert near_words([term], memory(text)) == []


def test_the_particle_of_a_term_names_nothing() -> None:
    vocabulary = memory("# Redis\naliases: cache, in-memory store\n\nkept in memory", "the login page is up")
    assert [each.word for each in in_turn(near_words(["sign-in"], vocabulary))] == ["login"]


def test_another_name_that_the_memory_does_not_have_is_not_named() -> None:
    assert near_words(["k8s"], memory("nothing of it")) == []


def test_what_aliases_say_belongs_together_is_found() -> None:
    text = "# Redis\naliases: hot store, port-6379\n\nKeeps berths."
    assert ("port-6379", "alias") in [(each.word, each.why) for each in in_turn(near_words(["stores"], memory(text)))]


def test_a_term_without_blanks_is_found_by_its_parts() -> None:
    found = in_turn(near_words(["予約締切時間"], memory("予約の締切は二時間前")))
    assert [each.word for each in found] == ["予約", "締切", "時間"]
    assert {each.why for each in found} == {"part"}


def test_letters_of_another_width_or_beside_other_signs_find_the_whole_word() -> None:
    assert first("ｱｲｺﾝ", "アイコンの線") == ("アイコン", "part")
    assert first("redsi", "本番のRedisを使う") == ("redis", "spelling"), "a word between such signs is one of its own"
    assert first("api", "ＡＰＩキーの設定") == ("ａｐｉ", "form") and first("k8s", "Kubernetes移行") == ("kubernetes", "synonym")
    assert first("Redisクラスタ", "Redis の構成") == ("redis", "form")


def test_each_word_has_the_number_of_files_that_have_it() -> None:
    found = near_words(["conflict"], memory("clash", "clash of names", "conflicts"))
    assert found[0].term == "conflict"
    assert {(each.word, each.files) for each in found[0].words} == {("conflicts", 1), ("clash", 2)}


def test_what_several_memories_have_is_named_in_turn_and_its_files_are_added() -> None:
    one = [
        Near("store", (NearWord("redis", 2, "synonym"), NearWord("disk", 1, "alias"))),
        Near("key", (NearWord("keys", 3, "form"),)),
    ]
    other = [Near("store", (NearWord("cache", 4, "synonym"), NearWord("redis", 5, "synonym")))]
    both = joined([one, other])
    assert [(near.term, [(word.word, word.files) for word in near.words]) for near in both] == [
        ("store", [("redis", 7), ("cache", 4), ("disk", 1)]),
        ("key", [("keys", 3)]),
    ]
    assert joined([one]) == one
    many = [[Near("x", tuple(NearWord(f"{letter}{count}", 1, "form") for count in range(4)))] for letter in "ab"]
    assert [word.word for word in joined(many)[0].words] == ["a0", "b0", "a1", "b1", "a2"]


def test_at_most_five_words_are_named_and_none_twice() -> None:
    found = near_words(["delete", "delete"], memory("deletes deleting deleted deletion remove purge erase drop wipe"))
    assert len(found) == 1
    assert len(found[0].words) == len({each.word for each in found[0].words}) == 5


def test_forms_of_the_word_itself_come_before_words_made_from_it() -> None:
    near = near_words(["teach"], memory("a teacher was teaching"))
    assert [each.word for each in in_turn(near)] == ["teaching", "teacher"]


def test_the_best_of_each_term_comes_first() -> None:
    near = near_words(["migrating", "kuberentes"], memory("migration migrations kubernetes"))
    assert [each.word for each in in_turn(near)][:2] == ["migration", "kubernetes"]


@pytest.mark.parametrize("term", ["", " ", "!?*", "x" * 10_000, "\0\x1b[31m", "(((", "1234567890", "ä", "你", "\ud800"])
def test_a_term_that_is_no_word_has_nothing_near_and_breaks_nothing(term: str) -> None:
    assert near_words([term], memory("kubernetes", "予約")) in ([], [Near(term, ())])


def test_words_of_a_text_that_went_are_gone() -> None:
    vocabulary = Vocabulary()
    first, second = vocabulary.add("kubernetes alias"), vocabulary.add("aliases: k8s, kube\n\nkubernetes too")
    assert vocabulary.groups([stem("kube")]) == [("k8s", "kube")]
    vocabulary.remove(second)
    assert vocabulary.files == memory("kubernetes alias").files
    assert vocabulary.groups([stem("kube")]) == []
    vocabulary.remove(first)
    assert near_words(["kuberentes", "k8s"], vocabulary) == []


@given(
    st.lists(st.text(alphabet="aäbcékzß ーアイ予約\n,:-", max_size=60), max_size=6),
    st.text(alphabet="abkz予", min_size=1, max_size=9),
)
def test_texts_that_came_and_went_leave_what_stayed(texts: list[str], term: str) -> None:
    both, stayed = memory(*texts), memory(*texts)
    for counted in [both.add(text) for text in texts[:2]]:
        both.remove(counted)
    assert both.files == stayed.files
    assert near_words([term], both) == near_words([term], stayed)


@given(st.text(alphabet="abc", max_size=7), st.text(alphabet="abc", max_size=7))
def test_the_distance_is_the_same_from_both_sides_and_counts_no_further_than_asked(one: str, other: str) -> None:
    whole = distance(one, other, 20)
    assert whole == distance(other, one, 20) >= abs(len(one) - len(other))
    assert (whole == 0) == (one == other)
    assert min(distance(one, other, 2), 3) == min(whole, 3)


@pytest.mark.parametrize(
    ("one", "other"), [("port", "report"), ("test", "text"), ("cat", "category"), ("log", "login"), ("cache", "catch")]
)
def test_words_that_look_alike_are_no_forms_of_one(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_words_of_a_text_are_the_same_whether_all_of_it_is_ascii() -> None:
    text = "Port-6379, e2e; it's_a `k8s` (Test) 42"
    assert words_of(text) == words_of(f"{text} ä") - {"ä"}


def test_the_list_of_related_words_is_well_formed() -> None:
    lines = [*related_lines("= "), *related_lines()]
    assert len(lines) > 400
    assert [line for line in lines if len(line) < 2 or len(set(line)) < len(line) or not all(line)] == []
    assert [line for line in lines if any(word != word.casefold().strip() for word in line)] == []


def test_most_of_what_is_asked_in_other_words_is_found_with_the_first_three_that_are_near() -> None:
    vocabulary = memory(*NOTES.values())

    def found(question: str) -> list[str]:
        words = question.casefold().split()
        counts = {note: sum(word in text.casefold() for word in words) for note, text in NOTES.items()}
        return sorted((note for note, count in counts.items() if count), key=lambda note: (-counts[note], note))[:5]

    def is_found(question: str, note: str) -> bool:
        near = [each.word for each in in_turn(near_words(question.split(), vocabulary))[:3]]
        return note in found(" ".join([question, *near]))

    assert not any(note in found(question) for own in QUESTIONS.values() for question, note in own.items())
    shares = {kind: sum(is_found(*each) for each in own.items()) / len(own) for kind, own in QUESTIONS.items()}
    assert shares["spelling"] >= 0.9
    assert shares["inflection"] >= 0.8
    assert shares["abbreviation"] >= 0.75
    assert shares["synonym"] >= 0.45


def test_a_query_of_many_words_has_a_line_that_an_answer_has_room_for() -> None:
    store = memory(*(f"harbour{number} berthing{number}" for number in range(300)))
    found = near_words([f"harbuor{number}" for number in range(300)], store)
    assert len(found) == MOST_TERMS
    assert found[0].term == "harbuor0"


def test_a_long_term_is_named_whole_for_who_puts_another_word_in_its_place() -> None:
    term = "conflict" * 20
    (near,) = near_words([term.upper()], memory("conflicting " + "conflict" * 8))
    assert near.term == term.upper()
    assert len(sentence([near])) < 200


def test_what_is_too_long_for_a_word_is_near_nothing() -> None:
    assert first("conflicts", "x" * 5_000 + "conflict" + "y" * 5_000) == ("", "")


def test_keys_of_front_matter_are_no_words_of_a_memory_but_are_counted_where_they_are() -> None:
    topic = "---\nname: tide\nmetadata:\n  node_type: memory\n---\n\nHigh water.\n"
    assert first("kubernetes", topic) == ("", "")
    assert first("memories", topic) == ("memory", "form")
    (near,) = near_words(["kubernetes"], memory(topic, "A node fails.", "node_type: x"))
    assert [(word.word, word.files) for word in near.words] == [("node", 3)]
    made = memory("a node")
    made.remove(made.add(topic))
    (near,) = near_words(["nodes"], made)
    assert near.words[0].files == 1
