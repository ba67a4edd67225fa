"""Codes of what can be wrong with files before anything is known of Kubernetes."""

from __future__ import annotations

from kohort.diagnostics import CodeDoc, Consequence, Severity

ReadingRule = CodeDoc

_INVALID = (Severity.ERROR, Consequence.INVALID)
_UNSAFE = (Severity.WARNING, Consequence.UNSAFE)
_NOTE = (Severity.INFO, Consequence.NOTE)
_STYLE = (Severity.INFO, Consequence.STYLE)

_QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  name: train\n"
_FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata:\n  name: a100\n"
_DEEP = 201

SYNTAX = CodeDoc(
    "YAM001",
    "yaml-syntax",
    *_INVALID,
    "The text is not YAML.",
    "Nothing of the document can be used, neither by Kohort nor by kubectl. Other documents of the file are read.",
    _QUEUE + "spec:\n  cohortName: training: gpu\n",
    _QUEUE + "spec:\n  cohortName: training-gpu\n",
)
TAB = CodeDoc(
    "YAM002",
    "tab-indentation",
    *_INVALID,
    "A tab is used for indentation.",
    "YAML indents with spaces only, because the width of a tab differs from editor to editor.",
    "apiVersion: v1\nkind: Namespace\nmetadata:\n\tname: blue\n",
    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: blue\n",
)
DUPLICATE_KEY = CodeDoc(
    "YAM003",
    "duplicate-key",
    *_INVALID,
    "A key stands twice in one mapping.",
    "kubectl silently takes the last one, other tools the first. Kohort uses neither, so that no quota is guessed.",
    _QUEUE + "spec:\n  cohortName: training\n  stopPolicy: None\n  cohortName: production\n",
    _QUEUE + "spec:\n  cohortName: training\n  stopPolicy: None\n",
)
NOT_UTF8 = CodeDoc(
    "YAM004",
    "not-utf8",
    *_INVALID,
    "The file is not UTF-8 text.",
    "Kubernetes takes UTF-8 only. Often an editor saved the file as Latin-1 or Windows-1252.",
    "# café\n" + _FLAVOR,  # as Latin-1 in the tests
    "# café\n" + _FLAVOR,
)
WIDE_ENCODING = CodeDoc(
    "YAM005",
    "utf16-file",
    *_NOTE,
    "The file is UTF-16 or UTF-32, read through its byte order mark.",
    "Many tools, diffs and reviews show such a file as binary. Windows PowerShell writes it by default.",
    _FLAVOR,  # as UTF-16 in the tests
    _FLAVOR,
)
CONTROL_CHARACTER = CodeDoc(
    "YAM006",
    "control-character",
    *_INVALID,
    "The file holds a character that YAML does not allow.",
    "A NUL or an escape character is invisible in most editors; kubectl refuses the whole file.",
    _FLAVOR + "  labels: {team: bl\x07ue}\n",
    _FLAVOR + "  labels: {team: blue}\n",
)
UNKNOWN_ANCHOR = CodeDoc(
    "YAM007",
    "unknown-anchor",
    *_INVALID,
    "An alias names an anchor that the document does not define above it.",
    "Anchors are known from where they stand to the end of their document, not in the next one.",
    _QUEUE + "spec: *base\n",
    _QUEUE + "  labels: &labels {team: blue}\nspec:\n  namespaceSelector: {matchLabels: *labels}\n",
)
ALIAS_BOMB = CodeDoc(
    "YAM008",
    "excessive-aliases",
    *_INVALID,
    "Aliases expand to far more than the file holds.",
    "Aliases of aliases grow without bound and would exhaust memory; kubectl refuses them as well.",
    "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
    "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
    _QUEUE + "  labels: &labels {team: blue}\n  annotations: *labels\n",
)
ALIAS_LOOP = CodeDoc(
    "YAM009",
    "alias-to-itself",
    *_INVALID,
    "An alias stands inside the value that it names.",
    "The value would contain itself; no JSON can say that, so no Kubernetes object can hold it.",
    _QUEUE + "spec: &spec\n  namespaceSelector: *spec\n",
    _QUEUE + "spec:\n  namespaceSelector: {}\n",
)
TOO_DEEP = CodeDoc(
    "YAM010",
    "nested-too-deep",
    *_INVALID,
    f"Mappings and lists are nested more than {_DEEP - 1} levels deep.",
    "No Kubernetes object is; such a file is broken or made to crash its readers.",
    "a: " + "[" * _DEEP + "]" * _DEEP + "\n",
    _QUEUE + "spec:\n  resourceGroups: []\n",
)
BAD_MERGE = CodeDoc(
    "YAM011",
    "bad-merge",
    *_INVALID,
    "The value of a merge key (<<) is neither a mapping nor a list of mappings.",
    "There is nothing to merge; kubectl refuses the file.",
    _QUEUE + "spec:\n  <<: base\n",
    _QUEUE + "spec:\n  <<: {cohortName: training}\n  queueingStrategy: StrictFIFO\n",
)
MERGE_AFTER_KEY = CodeDoc(
    "YAM012",
    "merge-after-key",
    *_UNSAFE,
    "A merge key (<<) stands below a key that it brings as well.",
    "By the merge rule the mapping's own key wins, and so reads Kohort. kubectl takes the merged value when << stands "
    "below. With << as the first entry both agree.",
    _QUEUE + "spec:\n  cohortName: training\n  <<: {cohortName: production}\n",
    _QUEUE + "spec:\n  <<: {cohortName: production}\n  cohortName: training\n",
)
NOT_AN_OBJECT = CodeDoc(
    "YAM013",
    "not-an-object",
    *_INVALID,
    "A document among Kubernetes objects is not a mapping.",
    "kubectl stops at it; what stands below is not applied.",
    _FLAVOR + "---\njust a string\n",
    _FLAVOR + "---\n# just a comment\n",
)
TEMPLATE = CodeDoc(
    "YAM014",
    "template",
    *_NOTE,
    "The file is a template, not YAML.",
    "Helm charts and the like become YAML only when they are rendered: render first and pipe the result into "
    "`kohort check -`.",
    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {{ .Values.team }}\n",
    "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: blue\n",
)
NOT_KUBERNETES = CodeDoc(
    "YAM015",
    "not-kubernetes",
    *_NOTE,
    "The file is YAML, but holds no mapping.",
    "A list or a text is no Kubernetes object. Lists of patches are named here as well.",
    "- op: replace\n  path: /spec/cohortName\n",
    _FLAVOR,
)
KEY_READS_OTHERWISE = CodeDoc(
    "YAM016",
    "key-reads-otherwise",
    *_UNSAFE,
    "A key without quotes reads as something else than it shows.",
    "YAML 1.1, which Kubernetes uses, reads `on`, `yes`, `y` as true and `010` as 8. Quote the key.",
    _FLAVOR + "  labels:\n    on: call\n",
    _FLAVOR + '  labels:\n    "on": call\n',
)
KEY_NOT_TEXT = CodeDoc(
    "YAM017",
    "key-not-text",
    *_STYLE,
    "A key without quotes is a number or boolean; it is used as the text it shows.",
    "kubectl turns it into text too, but not every tool does. Quote the key.",
    _FLAVOR + "  labels:\n    8: gpus\n",
    _FLAVOR + '  labels:\n    "8": gpus\n',
)
UNUSABLE_KEY = CodeDoc(
    "YAM018",
    "unusable-key",
    *_INVALID,
    "A key is null, a list or a mapping.",
    "JSON and therefore Kubernetes know keys of text only; kubectl refuses the file.",
    _FLAVOR + "  labels:\n    null: x\n",
    _FLAVOR + '  labels:\n    "null": x\n',
)
NOT_JSON = CodeDoc(
    "YAM019",
    "no-json-number",
    *_INVALID,
    "The value is infinite or not a number.",
    "JSON cannot say it; kubectl refuses the file.",
    _QUEUE + "spec:\n  fairSharing: {weight: .inf}\n",
    _QUEUE + "spec:\n  fairSharing: {weight: 2}\n",
)
UNKNOWN_TAG = CodeDoc(
    "YAM020",
    "unknown-tag",
    *_UNSAFE,
    "A tag means nothing to Kubernetes.",
    "kubectl reads a tagged value as plain text and a tagged mapping or list as if the tag were not there.",
    _QUEUE + "spec:\n  cohortName: !vault training\n",
    _QUEUE + "spec:\n  cohortName: training\n",
)
BAD_TAG = CodeDoc(
    "YAM021",
    "tag-does-not-fit",
    *_INVALID,
    "A value cannot be read as the type that its tag asks for.",
    "kubectl refuses the file.",
    "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: !!int many\n",
    "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: !!int 1000\n",
)
TOO_LARGE = CodeDoc(
    "YAM022",
    "file-too-large",
    *_INVALID,
    "A file is larger than 64 MiB, or one document larger than 32 MiB.",
    "No object that an API server takes comes near. Reading it would exhaust memory.",
    "(a file of 65 MiB)",
    _FLAVOR,
)
UNREADABLE = CodeDoc(
    "YAM023",
    "unreadable",
    *_INVALID,
    "A file or folder cannot be read.",
    "What is not read is not judged; a clean result would say nothing.",
    "(a file without read permission)",
    _FLAVOR,
)
NOT_A_FILE = CodeDoc(
    "YAM024",
    "not-a-regular-file",
    *_INVALID,
    "A name that ends like YAML or JSON is a pipe, a socket or a device.",
    "Reading it could wait for ever.",
    "(mkfifo queue.yaml)",
    _FLAVOR,
)
LINK_LOOP = CodeDoc(
    "YAM025",
    "link-loop",
    *_UNSAFE,
    "A symbolic link leads back to a folder that is already being read, or to itself.",
    "The files behind it are read once only.",
    "(ln -s . queues/again)",
    _FLAVOR,
)
MISSING = CodeDoc(
    "YAM026",
    "missing-file",
    *_INVALID,
    "A path or the target of a symbolic link does not exist.",
    "What is not read is not judged; a clean result would say nothing.",
    "(ln -s nowhere.yaml queue.yaml)",
    _FLAVOR,
)
LINK_OUT = CodeDoc(
    "YAM027",
    "link-out",
    *_UNSAFE,
    "A symbolic link leads out of the folders and files that were named, and is not read.",
    "What it leads to may be another cluster's, or the whole machine. Name the target too to have it read.",
    "(ln -s /srv/shared queues/shared)",
    _FLAVOR,
)

RULES: tuple[ReadingRule, ...] = (
    SYNTAX, TAB, DUPLICATE_KEY, NOT_UTF8, WIDE_ENCODING, CONTROL_CHARACTER, UNKNOWN_ANCHOR, ALIAS_BOMB, ALIAS_LOOP,
    TOO_DEEP, BAD_MERGE, MERGE_AFTER_KEY, NOT_AN_OBJECT, TEMPLATE, NOT_KUBERNETES, KEY_READS_OTHERWISE, KEY_NOT_TEXT,
    UNUSABLE_KEY, NOT_JSON, UNKNOWN_TAG, BAD_TAG, TOO_LARGE, UNREADABLE, NOT_A_FILE, LINK_LOOP, MISSING,
    LINK_OUT,
)  # fmt: skip
