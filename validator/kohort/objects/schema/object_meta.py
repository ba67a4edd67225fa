"""The fields of `metadata`, which no definition repeats: they are Kubernetes' own Go types.

Source: apimachinery 0.36, `meta/v1` ObjectMeta, OwnerReference and ManagedFieldsEntry.
"""

from __future__ import annotations

from typing import Final

from kohort.objects.schema.node import ARRAY, BOOLEAN, INTEGER, OBJECT, STRING, SchemaNode

_TEXT: Final = SchemaNode(STRING, decoded=True)
_NUMBER: Final = SchemaNode(INTEGER, format="int64", decoded=True)
_FLAG: Final = SchemaNode(BOOLEAN, decoded=True)
_TIME: Final = SchemaNode(STRING, format="date-time", decoded=True)
_TEXTS_BY_KEY: Final = SchemaNode(OBJECT, entries=_TEXT)

_OWNER: Final = SchemaNode(
    OBJECT,
    fields={
        "apiVersion": _TEXT,
        "kind": _TEXT,
        "name": _TEXT,
        "uid": _TEXT,
        "controller": _FLAG,
        "blockOwnerDeletion": _FLAG,
    },
)
_MANAGED: Final = SchemaNode(
    OBJECT,
    fields={
        "manager": _TEXT,
        "operation": _TEXT,
        "apiVersion": _TEXT,
        "time": _TIME,
        "fieldsType": _TEXT,
        "fieldsV1": SchemaNode(OBJECT, preserve=True),
        "subresource": _TEXT,
    },
)
OBJECT_META: Final = SchemaNode(
    OBJECT,
    fields={
        "name": _TEXT,
        "generateName": _TEXT,
        "namespace": _TEXT,
        "selfLink": _TEXT,
        "uid": _TEXT,
        "resourceVersion": _TEXT,
        "generation": _NUMBER,
        "creationTimestamp": _TIME,
        "deletionTimestamp": _TIME,
        "deletionGracePeriodSeconds": _NUMBER,
        "labels": _TEXTS_BY_KEY,
        "annotations": _TEXTS_BY_KEY,
        "ownerReferences": SchemaNode(ARRAY, items=_OWNER),
        "finalizers": SchemaNode(ARRAY, items=_TEXT),
        "managedFields": SchemaNode(ARRAY, items=_MANAGED),
    },
)
