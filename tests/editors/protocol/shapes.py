"""Compares JSON values with the types of the language server protocol.

`lsprotocol` generates its classes from the protocol's own description. Its
converter forgives much, so the values are compared with the classes' fields
here: nothing missing, nothing unknown, nothing of another type.
"""

import collections.abc
import enum
import functools
import re
import typing

import attrs
import lsprotocol.types as lsp

INTEGER_LIMIT = 2**31


def json_name(field):
    """The protocol's spelling of a field of `lsprotocol`."""
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), field.rstrip("_"))


@functools.lru_cache(None)
def fields_of(cls):
    attrs.resolve_types(cls, vars(lsp))
    return {json_name(field.name): field for field in attrs.fields(cls)}


def resolve(wanted):
    if isinstance(wanted, str):
        return eval(wanted, vars(lsp))
    if isinstance(wanted, typing.ForwardRef):
        return eval(wanted.__forward_arg__, vars(lsp))
    return wanted


def show(value):
    text = repr(value)
    return text if len(text) <= 70 else text[:67] + "..."


def compare(value, wanted, path):
    """The faults of a value, as sentences; none if it is of the wanted type."""
    wanted = resolve(wanted)
    origin = typing.get_origin(wanted)
    arguments = typing.get_args(wanted)
    if wanted is lsp.LSPAny or wanted in (typing.Any, object):
        return []
    if origin is typing.Union:
        return compare_union(value, arguments, path)
    if origin in (list, collections.abc.Sequence):
        if not isinstance(value, list):
            return [f"{path}: no array: {show(value)}"]
        return [fault for index, item in enumerate(value) for fault in compare(item, arguments[0], f"{path}[{index}]")]
    if origin is tuple:
        if not isinstance(value, list) or len(value) != len(arguments):
            return [f"{path}: no array of {len(arguments)}: {show(value)}"]
        return [
            fault
            for index, (item, kind) in enumerate(zip(value, arguments))
            for fault in compare(item, kind, f"{path}[{index}]")
        ]
    if origin in (dict, collections.abc.Mapping):
        if not isinstance(value, dict):
            return [f"{path}: no object: {show(value)}"]
        return [fault for key, item in value.items() for fault in compare(item, arguments[1], f"{path}.{key}")]
    if origin is typing.Literal:
        return [] if value in arguments else [f"{path}: {show(value)} is none of {arguments}"]
    return compare_plain(value, wanted, path)


def compare_union(value, kinds, path):
    closest = None
    for kind in kinds:
        faults = compare(value, kind, path)
        if not faults:
            return []
        if kind is not type(None) and (closest is None or len(faults) < len(closest)):
            closest = faults
    return closest or [f"{path}: {show(value)} is of no allowed type"]


def compare_plain(value, wanted, path):
    def is_one(condition, name):
        return [] if condition else [f"{path}: no {name}: {show(value)}"]

    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if wanted in (None, type(None)):
        return is_one(value is None, "null")
    if wanted is bool:
        return is_one(isinstance(value, bool), "boolean")
    if wanted is int:
        whole = number and isinstance(value, int)
        return is_one(whole and -INTEGER_LIMIT <= value < INTEGER_LIMIT, "32-bit integer")
    if wanted is float:
        return is_one(number, "number")
    if wanted is str:
        return is_one(isinstance(value, str), "string")
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        known = not isinstance(value, bool) and value in [member.value for member in wanted]
        return is_one(known, wanted.__name__)
    if attrs.has(wanted):
        return compare_object(value, wanted, path)
    return [f"{path}: the checker does not know the type {wanted!r}"]


def compare_object(value, wanted, path):
    if not isinstance(value, dict):
        return [f"{path}: no {wanted.__name__}: {show(value)}"]
    faults = []
    known = fields_of(wanted)
    for name, field in known.items():
        here = f"{path}.{name}"
        if name not in value:
            if field.default is attrs.NOTHING and name != "jsonrpc":
                faults.append(f"{here}: missing, but {wanted.__name__} requires it")
            continue
        item = value[name]
        if item is None and field.default is None and not lsp.is_special_property(wanted, field.name):
            faults.append(f"{here}: null, where {wanted.__name__} may only leave it out")
            continue
        if "uinteger" in repr(field.validator) and isinstance(item, int) and item < 0:
            faults.append(f"{here}: negative")
        faults += compare(item, field.type, here)
    faults += [f"{path}.{name}: {wanted.__name__} has no such member" for name in value if name not in known]
    return faults
